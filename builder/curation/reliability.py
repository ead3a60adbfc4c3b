"""Which annotators cannot be relied on: they miss known answers, agree with nobody, or say one thing only."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.curation.agreement import cohen_kappa, majority
from builder.curation.answers import Answer, AnswerFile
from builder.curation.plan import CHECKS, Plan
from contract.schema.annotations import AnnotatorKind
from contract.schema.checked_text import Line
from contract.schema.documents import Count, Fraction, Value

# Fewer known answers, or cases shared with others, say nothing about a person.
FEWEST_CHECKS = 5
FEWEST_SHARED = 10
# Whoever gives one label so often, where the others do not, has stopped reading.
ONE_ANSWER = 0.95
OTHERS_OF_ONE_ANSWER = 0.8


@dataclass(frozen=True, kw_only=True)
class ReliabilityRules:
    """From when on an annotator is unreliable."""

    min_accuracy: float = 0.7
    min_kappa: float = 0.2


class JudgedAnnotator(Value):
    """An annotator, how well known answers were met, and why the votes do not count, if they do not."""

    name: Line
    kind: AnnotatorKind
    n_answers: Count
    # Of the texts that the plan gave.
    n_asked: Count
    qualification: Fraction | None
    # Of the checks that were answered, those with every answer right, and those with the right label.
    n_checks: Count
    accuracy: Fraction | None
    label_accuracy: Fraction | None
    # With the majority of the others on cases, beyond chance.
    kappa: float | None
    seconds: float | None
    unreliable: tuple[str, ...] = ()


def judge_annotators(
    files: Sequence[AnswerFile], plan: Plan, rules: ReliabilityRules
) -> list[JudgedAnnotator]:
    """Return each annotator with the reasons for which the votes do not count."""
    return [_judged(file, files, plan, rules) for file in files]


def _judged(
    file: AnswerFile, files: Sequence[AnswerFile], plan: Plan, rules: ReliabilityRules
) -> JudgedAnnotator:
    answers = {answer.key: answer for answer in file.answers}
    # People are compared with people, models with models.
    others = [other for other in files if other is not file and other.kind == file.kind]
    qualification = _share_right(answers, plan, ("qualification",))
    checks = [answer for key, answer in answers.items() if plan.by_key[key].part in CHECKS]
    accuracy = _share_right(answers, plan, CHECKS)
    pairs = _pairs(answers, others, plan)
    kappa = _kappa(pairs)
    n_shared = sum(map(len, pairs.values()))
    reasons: list[str] = []
    if qualification is not None and qualification < plan.min_qualification:
        reasons.append(
            f"{qualification:.0%} of the qualification right, {plan.min_qualification:.0%} asked for"
        )
    if accuracy is not None and len(checks) >= FEWEST_CHECKS and accuracy < rules.min_accuracy:
        reasons.append(f"{accuracy:.0%} of known answers right, {rules.min_accuracy:.0%} asked for")
    if kappa is not None and n_shared >= FEWEST_SHARED and kappa < rules.min_kappa:
        reasons.append(f"kappa {kappa:.2f} with the others, {rules.min_kappa:.2f} asked for")
    reasons += [*_one_label(pairs), *_one_opinion(checks, plan)]
    seconds = sorted(answer.seconds for answer in file.answers if answer.seconds is not None)
    annotator = plan.annotator(file.annotator)
    n_asked = len(plan.texts) - len(plan.of_part("training"))
    if annotator is not None and file.kind == "person":
        n_asked = len(annotator.work) + len(plan.of_part("qualification"))
    return JudgedAnnotator(
        name=file.annotator,
        kind=file.kind,
        n_answers=len(answers),
        n_asked=n_asked,
        qualification=qualification,
        n_checks=len(checks),
        accuracy=accuracy,
        label_accuracy=_share(
            [answer.label == _true_label(answer, plan) for answer in checks],
        ),
        kappa=kappa,
        seconds=seconds[len(seconds) // 2] if seconds else None,
        unreliable=tuple(reasons),
    )


def is_right(answer: Answer, plan: Plan) -> bool:
    """Tell whether both answers to a text with known answers are right."""
    text = plan.by_key[answer.key]
    return answer.label == _true_label(answer, plan) and answer.keeps in {text.keeps, None}


def _true_label(answer: Answer, plan: Plan) -> str:
    text = plan.by_key[answer.key]
    return plan.task(text.task).labels[text.label]


def _share_right(answers: Mapping[str, Answer], plan: Plan, parts: Sequence[str]) -> float | None:
    return _share(
        [is_right(answer, plan) for key, answer in answers.items() if plan.by_key[key].part in parts]
    )


def _share(outcomes: Sequence[bool]) -> float | None:
    return sum(outcomes) / len(outcomes) if outcomes else None


def _pairs(
    answers: Mapping[str, Answer], others: Sequence[AnswerFile], plan: Plan
) -> dict[str, list[tuple[str, str]]]:
    """Return by task, for each case, the label that was given and the one that most others gave."""
    votes: dict[str, Counter[str]] = {}
    for other in others:
        for answer in other.answers:
            votes.setdefault(answer.key, Counter())[answer.label] += 1
    pairs: dict[str, list[tuple[str, str]]] = {}
    for key, answer in answers.items():
        text = plan.by_key[key]
        labels = plan.task(text.task).labels
        winner = majority([votes.get(key, Counter())[label] for label in labels])
        if text.part == "case" and winner is not None:
            pairs.setdefault(text.task, []).append((answer.label, labels[winner]))
    return pairs


def _kappa(pairs: Mapping[str, Sequence[tuple[str, str]]]) -> float | None:
    """Return the mean of the tasks' kappas, by their numbers of cases; chance is that of each task."""
    kappas = [(len(of_task), cohen_kappa(of_task)) for of_task in pairs.values()]
    known = [(n, kappa) for n, kappa in kappas if kappa is not None]
    n_cases = sum(n for n, _ in known)
    return sum(n * kappa for n, kappa in known) / n_cases if n_cases else None


def _one_label(pairs: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[str]:
    """Yield the tasks of which nearly all cases got one label, where the others gave several."""
    for task, of_task in pairs.items():
        (label, n), *_ = Counter(left for left, _ in of_task).most_common(1)
        n_others = sum(right == label for _, right in of_task)
        is_enough = len(of_task) >= FEWEST_SHARED
        if is_enough and n / len(of_task) >= ONE_ANSWER and n_others / len(of_task) < OTHERS_OF_ONE_ANSWER:
            yield f"{n} of {len(of_task)} labels of {task} are {label!r}"


def _one_opinion(checks: Sequence[Answer], plan: Plan) -> Iterator[str]:
    """Yield that all questions on meaning got the same answer, though several are right."""
    expected = Counter(plan.by_key[answer.key].keeps for answer in checks)
    is_enough = min(expected[True], expected[False]) >= FEWEST_CHECKS
    if is_enough and len({answer.keeps for answer in checks}) == 1:
        yield f"the same answer to all {len(checks)} known questions on meaning"
