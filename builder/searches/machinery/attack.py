"""What the attacks on a source have in common: who is attacked, in which order, and what comes of it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from builder.measures import MEASURES
from builder.operations.dimension import Dimension
from builder.operations.operation import Operations
from builder.searches.machinery.paths import Judge, Path, Subject, narrow, walk
from builder.searches.search import Findings, SearchRequest, Tally, Victim, record_of, texts_of
from builder.values.garbage import rare_collections
from builder.values.randomness import Draw
from classifiers.machinery.classifier import Numbers, TextPair
from contract.schema.records import Record

NOT_MET = "budget-not-met"
ALREADY_WRONG = "source-already-wrong"
# The first case goes by importance alone; for others this share of the words waits until the end.
SHARE_PUT_OFF = 0.3


class Plan(NamedTuple):
    """How one setting attacks: how much each word matters, and who picks candidates."""

    # For each subject one number a word; the highest goes first.
    importances: Callable[[SearchRequest, Sequence[Subject]], Sequence[Numbers]]
    # Makes the paths' judge, once the paths are laid.
    judge: Callable[[SearchRequest, Sequence[Path]], Judge]
    # Whether paths keep to a few operations a word, so that a judge can know them all beforehand.
    is_narrow: bool = False


@rare_collections()
def attack(request: SearchRequest, dimension: Dimension, setting: str, plan: Plan) -> Findings:
    """Return up to `n_cases` different cases for each sample and degree it carries, made against a source."""
    texts = texts_of(request)
    proposals = dimension.propose(texts, request.resources)
    subjects = [
        Subject(dimension=dimension, sample=sample, text=text, operations=operations, degrees=request.degrees)
        for sample, text, operations in zip(request.samples, texts, proposals, strict=True)
    ]
    tallies = {degree: Tally(n_samples=len(subjects)) for degree in request.degrees}
    for subject in subjects:
        for _, degree in subject.budgets:
            tallies[degree].n_carrying += 1
            tallies[degree].n_candidates += request.n_cases
    attacked = _attackable(request, subjects, tallies)
    paths = _lay_paths(request, setting, attacked, plan)
    walk(paths, plan.judge(request, paths), request.victim.max_queries)
    records = _records(request, setting, paths, tallies)
    count_success(request.victim, records, tallies)
    return Findings(records=records, tallies=tallies)


def asked(request: SearchRequest, sample_pair: TextPair, text: str) -> TextPair:
    """Return a text with its partner as a classifier takes them, the text in the field under attack."""
    return (text, sample_pair[1]) if request.perturbed == "text" else (sample_pair[0], text)


def pair_of(subject: Subject) -> TextPair:
    """Return a sample's text and its partner."""
    return subject.sample.text, subject.sample.text_pair


def count_success(victim: Victim, records: Sequence[Record], tallies: dict[float, Tally]) -> None:
    """Count for each degree the samples that were attacked and those of which a case fools the source."""
    votes = victim.inference.votes([(record.text, record.text_pair) for record in records])
    for degree, tally in tallies.items():
        of_degree = [pair for pair in zip(records, votes, strict=True) if pair[0].degree == degree]
        tally.n_attacked = len({record.sample_id for record, _ in of_degree})
        tally.n_fooled = len({record.sample_id for record, guess in of_degree if guess != record.label})


def _attackable(
    request: SearchRequest, subjects: Sequence[Subject], tallies: dict[float, Tally]
) -> list[Subject]:
    """Return the samples that carry a degree and that the source gets right; the others are counted."""
    able = [subject for subject in subjects if subject.budgets]
    votes = request.victim.inference.votes([pair_of(subject) for subject in able])
    right = []
    for subject, guess in zip(able, votes, strict=True):
        if guess == subject.sample.label:
            right.append(subject)
            continue
        for _, degree in subject.budgets:
            tallies[degree].drop(ALREADY_WRONG, request.n_cases)
    return right


def _lay_paths(request: SearchRequest, setting: str, subjects: Sequence[Subject], plan: Plan) -> list[Path]:
    paths = []
    for subject, importance in zip(subjects, plan.importances(request, subjects), strict=True):
        names = (request.task, subject.sample.id, subject.dimension.name, setting, request.victim.name)
        # Rounded, and ties broken by place: the last bit of a gradient decides nothing.
        order = sorted(range(len(importance)), key=lambda index: (-round(float(importance[index]), 5), index))
        for number in range(request.n_cases):
            draw = Draw(request.seed, *names, number)
            path = Path(
                subject,
                case=request.first_case + number,
                order=order if number == 0 else _shaken(order, draw),
                draw=draw,
                narrowed=_narrowed(subject, draw) if plan.is_narrow else None,
            )
            paths.append(path)
    return paths


def _narrowed(subject: Subject, draw: Draw) -> list[Operations]:
    return [narrow(operations, draw) for operations in subject.operations]


def _shaken(order: Sequence[int], draw: Draw) -> list[int]:
    """Return the order with some of the words put off until the end."""
    late = {index for index in order if draw.fraction() < SHARE_PUT_OFF}
    return [index for index in order if index not in late] + [index for index in order if index in late]


def _records(
    request: SearchRequest, setting: str, paths: Sequence[Path], tallies: dict[float, Tally]
) -> list[Record]:
    """Return the cases in the order of samples, degrees and cases, without those that came out twice."""
    by_subject: dict[str, list[Path]] = {}
    for path in paths:
        by_subject.setdefault(path.subject.sample.id, []).append(path)
    records = []
    for own in by_subject.values():
        subject = own[0].subject
        for _, degree in subject.budgets:
            seen = {subject.text.text}
            for path in own:
                if degree not in path.frozen:
                    tallies[degree].drop(NOT_MET)
                    continue
                change, method = path.frozen[degree]
                if change.text in seen:
                    tallies[degree].drop("duplicate")
                    continue
                seen.add(change.text)
                record = record_of(
                    request,
                    subject.sample,
                    change,
                    setting=setting,
                    degree=degree,
                    case=path.case,
                    method=method,
                    realised_degree=MEASURES[subject.dimension.measure].realised(change),
                    source=request.victim.name,
                )
                records.append(record)
    return records
