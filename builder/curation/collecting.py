"""Collects annotators' answers: who is reliable, how far they agree, and the verdict on every case."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from builder.curation.agreement import fleiss_kappa, majority, pairwise_agreement
from builder.curation.answers import Answer, AnswerFile
from builder.curation.outcome import JudgedCase, Outcome, Verdict
from builder.curation.plan import CHECKS, Plan, PlannedTask, PlannedText
from builder.curation.reliability import JudgedAnnotator, ReliabilityRules, judge_annotators
from contract.machine.errors import ExitCode, UserError
from contract.schema.annotations import AnnotatorKind, Counted, TaskAgreement

KINDS: dict[Counted, tuple[AnnotatorKind, ...]] = {
    "people": ("person",),
    "models": ("model",),
    "both": ("person", "model"),
}


@dataclass(frozen=True, kw_only=True)
class CollectOptions:
    """Whose votes count, and what a verdict needs."""

    counted: Counted = "people"
    # Two answers of three, three of five; AdvGLUE asked five people.
    min_votes: int = 3
    min_agreement: float = 0.6
    is_everybody_counted: bool = False
    rules: ReliabilityRules = field(default_factory=ReliabilityRules)


def collect(plan: Plan, files: Sequence[AnswerFile], options: CollectOptions) -> Outcome:
    """Return the outcome of all answers."""
    annotators = judge_annotators(files, plan, options.rules)
    kinds = KINDS[options.counted]
    if not any(file.kind in kinds for file in files):
        there = " and ".join(sorted({file.kind for file in files})) or "nobody"
        raise UserError(
            f"no answers of {options.counted} to count: the files are of {there}; give files of"
            f" {options.counted}, or say whose votes count (--count)",
            exit_code=ExitCode.WRONG_USE,
        )
    reliable = {
        annotator.name for annotator in annotators if options.is_everybody_counted or not annotator.unreliable
    }
    votes = _answers_by_text([file for file in files if file.kind in kinds and file.annotator in reliable])
    return Outcome(
        release=plan.release,
        plan_sha256=plan.sha256,
        counted=options.counted,
        min_votes=options.min_votes,
        min_agreement=options.min_agreement,
        annotators=tuple(annotators),
        agreement=tuple(_agreement(plan, files, annotators, reliable)),
        cases=tuple(
            _judged(text, plan.task(text.task), votes.get(text.key, []), options)
            for text in plan.of_part("case")
        ),
    )


def _answers_by_text(files: Sequence[AnswerFile]) -> dict[str, list[Answer]]:
    by_text: dict[str, list[Answer]] = {}
    for file in files:
        for answer in file.answers:
            by_text.setdefault(answer.key, []).append(answer)
    return by_text


def _votes(task: PlannedTask, answers: Sequence[Answer]) -> tuple[int, ...]:
    counts = Counter(answer.label for answer in answers)
    return tuple(counts[label] for label in task.labels)


def _judged(
    text: PlannedText, task: PlannedTask, answers: Sequence[Answer], options: CollectOptions
) -> JudgedCase:
    votes = _votes(task, answers)
    opinions = [answer.keeps for answer in answers if answer.keeps is not None]
    case = JudgedCase(
        id=text.row,
        task=text.task,
        votes=votes,
        agreement=max(votes) / len(answers) if answers else None,
        majority=majority(votes),
        n_keeps=sum(opinions),
        n_keeps_asked=len(opinions),
        similarity=_mean([answer.similarity for answer in answers]),
        fluency=_mean([answer.fluency for answer in answers]),
        verdict="undecided",
    )
    return case.model_copy(update={"verdict": _verdict(case, text.label, options)})


def _verdict(case: JudgedCase, label: int, options: CollectOptions) -> Verdict:
    """Return the verdict, consensus first and utility then, as AdvGLUE filters (A.7).

    AdvGLUE's utility is that the majority gives the original's label. We also ask, as RobTest does, that the
    deciding part keeps its meaning: more than half must say so.
    """
    if case.agreement is None or case.n < options.min_votes:
        return "undecided"
    if case.majority is None or case.agreement < options.min_agreement:
        return "human-consensus"
    is_kept = 2 * case.n_keeps > case.n_keeps_asked or not case.n_keeps_asked
    return "valid" if case.majority == label and is_kept else "utility"


def _mean(ratings: Sequence[int | None]) -> float | None:
    given = [rating for rating in ratings if rating is not None]
    return round(sum(given) / len(given), 6) if given else None


def _agreement(
    plan: Plan, files: Sequence[AnswerFile], annotators: Sequence[JudgedAnnotator], reliable: set[str]
) -> Iterator[TaskAgreement]:
    """Yield for every task how people did, and how models did, each among themselves."""
    kinds: tuple[AnnotatorKind, ...] = ("person", "model")
    for task in plan.tasks:
        for kind in kinds:
            of_kind = [annotator for annotator in annotators if annotator.kind == kind]
            if not of_kind:
                continue
            counted = [file for file in files if file.kind == kind and file.annotator in reliable]
            answers = _answers_by_text(counted)
            table = [
                _votes(task, answers.get(text.key, []))
                for text in plan.of_part("case")
                if text.task == task.name
            ]
            checks = [text for text in plan.texts if text.task == task.name and text.part in CHECKS]
            yield TaskAgreement(
                task=task.name,
                kind=kind,
                n_annotators=len(of_kind),
                n_unreliable=sum(bool(annotator.unreliable) for annotator in of_kind),
                n_cases=sum(sum(row) > 0 for row in table),
                accuracy=_mean_accuracy(task, checks, counted),
                accuracy_of_vote=_accuracy_of_vote(task, checks, answers),
                kappa=fleiss_kappa(table),
                pairwise=pairwise_agreement(table),
            )


def _mean_accuracy(
    task: PlannedTask, checks: Sequence[PlannedText], files: Sequence[AnswerFile]
) -> float | None:
    """Return the mean over annotators of their label accuracy on texts with known answers."""
    true = {text.key: task.labels[text.label] for text in checks}
    shares = []
    for file in files:
        right = [answer.label == true[answer.key] for answer in file.answers if answer.key in true]
        shares += [sum(right) / len(right)] if right else []
    return sum(shares) / len(shares) if shares else None


def _accuracy_of_vote(
    task: PlannedTask, checks: Sequence[PlannedText], answers: dict[str, list[Answer]]
) -> float | None:
    """Return the accuracy of the majority's labels; a tie is not right."""
    right = [
        majority(_votes(task, answers[text.key])) == text.label for text in checks if text.key in answers
    ]
    return sum(right) / len(right) if right else None
