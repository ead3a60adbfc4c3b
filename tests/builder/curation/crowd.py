"""A small release to be judged, and simulated annotators of it: careful, random and lazy ones."""

from pathlib import Path
from random import Random

from synthetic import SplitKey, write_splits

from builder.curation.answers import Answer, AnswerFile
from builder.curation.plan import Plan, PlannedText
from contract.schema.edits import Edit, apply_edits
from contract.schema.manifest import DimensionInfo, FunnelInfo, Setting, SurrogateInfo, TaskInfo
from contract.schema.names import CLEAN, TRAIN, case_id, clean_id, sample_id, train_id
from contract.schema.records import Record

N_SAMPLES = 60
LABELS = ("negative", "positive")
TASK = TaskInfo(
    name="mr",
    labels=LABELS,
    fields=("text",),
    source="made up",
    licence="CC0-1.0",
    n_samples=N_SAMPLES,
    n_train=N_SAMPLES,
)
CELLS: tuple[tuple[str, Setting, float], ...] = (
    ("typo-general", "rule", 0.1),
    ("typo-general", "rule", 0.3),
    ("synonym", "score", 0.1),
)
WORDS = (("a dull", "film"), ("a lovely", "film"))


def make_release(path: Path) -> Path:
    """Write a release with three splits; every third case fools nobody, every second attack transfers."""
    splits: dict[SplitKey, list[Record]] = {
        ("mr", CLEAN, None, 0.0): [_plain(n, CLEAN) for n in range(N_SAMPLES)],
        ("mr", TRAIN, None, 0.0): [_plain(n, TRAIN) for n in range(N_SAMPLES)],
    }
    funnel = []
    for dimension, setting, degree in CELLS:
        cases = [_case(n, dimension, setting, degree) for n in range(N_SAMPLES)]
        in_tier = [case for case in cases if setting == "score" and case.transfer == 1.0]
        splits["mr", dimension, setting, degree] = [case for case in cases if case not in in_tier]
        if setting == "score":
            splits["mr", dimension, setting, degree, "transferable"] = in_tier
        funnel.append(
            FunnelInfo(
                task="mr",
                dimension=dimension,
                setting=setting,
                degree=degree,
                n_samples=N_SAMPLES,
                n_carrying=N_SAMPLES,
                n_candidates=N_SAMPLES + 9,
                n_dropped={"duplicate": 2, "negation": 7},
                n_frozen=N_SAMPLES,
                n_samples_frozen=N_SAMPLES,
                n_source_fooled=sum(case.source_fooled is True for case in cases),
                n_transferable=len(in_tier),
                n_samples_transferable=len(in_tier),
            )
        )
    dimensions = [
        DimensionInfo(name=name, tag="general", degree_kind="budget", degrees=degrees, order=order)
        for order, (name, degrees) in enumerate({"typo-general": (0.1, 0.3), "synonym": (0.1,)}.items())
    ]
    surrogate = SurrogateInfo(
        name="words", kind="word-tfidf", family="words", task="mr", weights_sha256="0" * 64, is_source=True
    )
    return write_splits(
        path,
        [TASK],
        dimensions,
        splits,
        name="judged",
        version="1.0",
        funnel=tuple(funnel),
        surrogates=(surrogate,),
    )


def text_of(n: int) -> str:
    """Return the text of a sample."""
    words = WORDS[n % 2]
    return f"{words[0]} {words[1]} number {n}"


def _plain(n: int, part: str) -> Record:
    # Training rows are samples of their own.
    name = sample_id("mr", n if part == CLEAN else N_SAMPLES + n)
    text = text_of(n if part == CLEAN else N_SAMPLES + n)
    return Record(
        id=clean_id(name) if part == CLEAN else train_id(name),
        sample_id=name,
        text=text,
        original_text=text,
        label=n % 2,
        task="mr",
        dimension=part,
        degree=0.0,
        realised_degree=0.0,
        surrogate_predictions=(n % 2,) if part == CLEAN else (),
    )


def _case(n: int, dimension: str, setting: Setting, degree: float) -> Record:
    original = text_of(n)
    start = original.index("film")
    edit = Edit(start, start + 4, "film", f"fi1m{dimension[0]}{int(10 * degree)}")
    is_fooling = n % 3 != 0
    return Record(
        id=case_id(sample_id("mr", n), dimension, setting, degree, 0),
        sample_id=sample_id("mr", n),
        text=apply_edits(original, [edit]),
        original_text=original,
        label=n % 2,
        task="mr",
        dimension=dimension,
        setting=setting,
        degree=degree,
        realised_degree=degree,
        source="words" if setting == "score" else None,
        method="greedy" if setting == "score" else None,
        field="text",
        edits=(("text", edit),),
        surrogate_predictions=(1 - n % 2 if is_fooling else n % 2,),
        source_fooled=is_fooling if setting == "score" else None,
        transfer=float(n % 2) if setting == "score" and is_fooling else None,
    )


def careful(plan: Plan, name: str, *, seed: int, wrong: float = 0.05) -> AnswerFile:
    """Return the answers of somebody who is wrong now and then, after having qualified."""
    random = Random(seed)

    def answer(text: PlannedText) -> Answer:
        errors = 0.0 if text.part == "qualification" else wrong
        is_label_right, is_opinion_right = random.random() >= errors, random.random() >= errors
        label = text.label if is_label_right else 1 - text.label
        keeps = text.keeps is not False
        return Answer(key=text.key, label=LABELS[label], keeps=keeps == is_opinion_right, seconds=4.0)

    return answers_of(plan, name, [answer(text) for text in _asked(plan, name)])


def at_random(plan: Plan, name: str, *, seed: int) -> AnswerFile:
    """Return the answers of somebody who tosses coins after having qualified."""
    random = Random(seed)
    answers = [
        Answer(key=text.key, label=LABELS[text.label], keeps=text.keeps)
        if text.part == "qualification"
        else Answer(key=text.key, label=random.choice(LABELS), keeps=random.random() < 0.5)
        for text in _asked(plan, name)
    ]
    return answers_of(plan, name, answers)


def lazy(plan: Plan, name: str) -> AnswerFile:
    """Return the answers of somebody who says the same to everything after having qualified."""
    answers = [
        Answer(key=text.key, label=LABELS[text.label], keeps=text.keeps)
        if text.part == "qualification"
        else Answer(key=text.key, label="positive", keeps=True)
        for text in _asked(plan, name)
    ]
    return answers_of(plan, name, answers)


def answers_of(plan: Plan, name: str, answers: list[Answer]) -> AnswerFile:
    """Return a person's file."""
    return AnswerFile(plan=plan.sha256, annotator=name, kind="person", answers=answers)


def _asked(plan: Plan, name: str) -> list[PlannedText]:
    annotator = plan.annotator(name)
    assert annotator is not None
    return [*plan.of_part("qualification"), *(plan.by_key[key] for key in annotator.work)]
