"""Draws the texts of a plan: successful cases of every split, and texts whose answers are known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from builder.curation.plan import (
    DrawnCell,
    JudgedRelease,
    Part,
    Plan,
    PlannedAnnotator,
    PlannedTask,
    PlannedText,
)
from builder.values.randomness import Draw
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.hashes import hash_of
from contract.machine.registry import unknown_name
from contract.release.release import Release
from contract.schema.manifest import Manifest, SplitInfo, TaskInfo
from contract.schema.names import CLEAN, TRAIN
from contract.schema.records import Record, records_of

KEY_DIGITS = 16


@dataclass(frozen=True, kw_only=True)
class DrawOptions:
    """How much is drawn, from where, and for how many annotators."""

    seed: int
    per_cell: int = 50
    n_annotators: int = 5
    # How many annotators judge each case; all of them if None.
    overlap: int | None = None
    # Of each task: untouched texts and known answers in the work, and questions before it.
    n_controls: int = 10
    n_known: int = 10
    n_training: int = 6
    n_qualification: int = 10
    min_qualification: float = 0.8
    # Also cases that fool nobody.
    is_any_outcome: bool = False
    tasks: Sequence[str] = ()
    dimensions: Sequence[str] = ()
    settings: Sequence[str] = ()
    degrees: Sequence[float] = field(default_factory=tuple)


def draw_plan(release: Release, options: DrawOptions) -> Plan:
    """Return the plan: the same release and options give the same plan."""
    manifest = release.manifest
    _check(release, options)
    overlap = options.n_annotators if options.overlap is None else options.overlap
    tasks = [task for task in manifest.tasks if not options.tasks or task.name in options.tasks]
    cells: list[DrawnCell] = []
    texts: list[PlannedText] = []
    for task in tasks:
        cases: list[Record] = []
        votes = _clean_votes(release, task)
        for splits in _cells(manifest, task, options):
            drawn = _draw_cell(release, splits, votes, options)
            cells.append(drawn.cell)
            cases += drawn.records
        if cases:
            texts += [_case(release, record) for record in cases]
            texts += _known_texts(release, task, {record.sample_id for record in cases}, options)
    if not any(text.part == "case" for text in texts):
        raise bad_input(
            f"{release.path}: no case to judge: of the cells that were asked for none has a case that fools a"
            " surrogate; name others, or add --any-outcome"
        )
    return Plan(
        release=JudgedRelease(
            name=manifest.name, version=manifest.version, manifest_sha256=release.manifest_sha256
        ),
        seed=options.seed,
        per_cell=options.per_cell,
        overlap=overlap,
        min_qualification=options.min_qualification,
        tasks=tuple(
            PlannedTask(name=task.name, labels=task.labels, fields=task.fields)
            for task in tasks
            if any(text.task == task.name for text in texts)
        ),
        cells=tuple(cells),
        texts=tuple(texts),
        annotators=tuple(_annotators(texts, options, overlap)),
    )


def is_successful(record: Record, on_original: Sequence[int | None]) -> bool:
    """Tell whether a case fools its source or, where none was attacked, any surrogate at all.

    Fooled: right on the original, wrong on the case. Where no surrogate was asked the case is from people who
    kept only what fools models.
    """
    if record.source_fooled is not None:
        return record.source_fooled
    votes = record.surrogate_predictions
    if all(vote is None for vote in votes):
        return True
    before = on_original if len(on_original) == len(votes) else [record.label] * len(votes)
    pairs = zip(before, votes, strict=True)
    return any(then == record.label and vote not in {None, record.label} for then, vote in pairs)


def _check(release: Release, options: DrawOptions) -> None:
    manifest = release.manifest
    if manifest.labels == "withheld":
        raise bad_input(
            f"{release.path}: its labels are withheld, so nobody's answers can be checked; plan from the"
            " release that it was published from"
        )
    if manifest.audit is not None:
        raise bad_input(
            f"{release.path}: holds the cases of an audit, which has no versions; give a benchmark"
        )
    if options.overlap is not None and not 1 <= options.overlap <= options.n_annotators:
        raise UserError(
            f"--overlap {options.overlap}: a case cannot be judged by more people than the"
            f" {options.n_annotators} there are (--annotators)",
            exit_code=ExitCode.WRONG_USE,
        )
    known = {
        "task": (options.tasks, [task.name for task in manifest.tasks]),
        "dimension": (options.dimensions, manifest.dimension_order()),
        "setting": (options.settings, sorted({s.setting for s in manifest.splits if s.setting is not None})),
    }
    for what, (names, there) in known.items():
        for name in names:
            if name not in there:
                raise unknown_name(what, name, there)


def _cells(manifest: Manifest, task: TaskInfo, options: DrawOptions) -> Iterator[list[SplitInfo]]:
    """Yield the files of each degree that was asked for, both tiers together."""
    cells: dict[tuple[str, str | None, float | None], list[SplitInfo]] = {}
    for split in manifest.splits:
        if (
            split.task == task.name
            and split.is_adversarial
            and (not options.dimensions or split.dimension in options.dimensions)
            and (not options.settings or split.setting in options.settings)
            and (not options.degrees or split.degree in options.degrees)
        ):
            cells.setdefault((split.dimension, split.setting, split.degree), []).append(split)
    yield from cells.values()


@dataclass(frozen=True, kw_only=True)
class _Drawn:
    cell: DrawnCell
    records: list[Record]


def _clean_votes(release: Release, task: TaskInfo) -> dict[str, Sequence[int | None]]:
    """Return what the surrogates say about each sample of a task."""
    return {
        row["sample_id"]: row["surrogate_predictions"] or ()
        for split in release.splits(task=task.name, dimension=CLEAN)
        for row in release.table(split, ["sample_id", "surrogate_predictions"]).to_pylist()
    }


def _draw_cell(
    release: Release,
    splits: Sequence[SplitInfo],
    votes: Mapping[str, Sequence[int | None]],
    options: DrawOptions,
) -> _Drawn:
    """Return cases of one degree, of as many different samples as can be."""
    split = splits[0]
    if split.setting is None:
        raise ValueError("only cases are drawn")
    pool: list[Record] = []
    n_cases = n_successful = 0
    for file in splits:
        for record in records_of(release.table(file)):
            n_cases += 1
            is_success = is_successful(record, votes.get(record.sample_id, ()))
            n_successful += is_success
            # What was judged before is not asked again.
            if record.annotation is None and (options.is_any_outcome or is_success):
                pool.append(record)
    shuffled = _shuffled(pool, options.seed, "case")
    first = {record.sample_id: record for record in reversed(shuffled)}
    others = [record for record in shuffled if first[record.sample_id] is not record]
    chosen = [*(record for record in shuffled if first[record.sample_id] is record), *others]
    chosen = chosen[: options.per_cell]
    cell = DrawnCell(
        task=split.task,
        dimension=split.dimension,
        setting=split.setting,
        degree=split.degree,
        n_cases=n_cases,
        n_successful=n_successful,
        n_drawn=len(chosen),
    )
    return _Drawn(cell=cell, records=chosen)


def _shuffled(records: Sequence[Record], seed: int, what: str) -> list[Record]:
    """Return records in an order that does not depend on that of the files."""
    return sorted(records, key=lambda record: hash_of([seed, what, record.id]))


def _case(release: Release, record: Record) -> PlannedText:
    return PlannedText(
        key=_key(release, "case", record.id),
        part="case",
        task=record.task,
        row=record.id,
        text=record.text,
        text_pair=record.text_pair,
        original=record.original_text,
        original_pair=record.original_text_pair,
        label=record.label,
    )


def _key(release: Release, part: str, *rows: str) -> str:
    return hash_of([release.manifest_sha256, part, *rows])[:KEY_DIGITS]


def _known_texts(
    release: Release, task: TaskInfo, judged: set[str], options: DrawOptions
) -> Iterator[PlannedText]:
    """Yield texts with known answers: for training and qualification, then those mixed into the work."""
    rows = {
        part: [
            record
            for split in release.splits(task=task.name, dimension=part)
            for record in _shuffled(list(records_of(release.table(split))), options.seed, part)
        ]
        for part in (CLEAN, TRAIN)
    }
    # An annotator who has seen a sample untouched would judge its case by heart.
    rows[CLEAN] = sorted(rows[CLEAN], key=lambda record: record.sample_id in judged)
    work = _Pool(rows[CLEAN])
    before = _Pool(rows[TRAIN]) if rows[TRAIN] else work
    yield from _controls(release, "control", work.take(options.n_controls))
    yield from _swapped(release, "known", work.take(2 * options.n_known))
    for part, n in (("training", options.n_training), ("qualification", options.n_qualification)):
        n_swapped = n // 3
        yield from _controls(release, part, before.take(n - n_swapped))
        yield from _swapped(release, part, before.take(2 * n_swapped))


class _Pool:
    """Samples of which each is taken once; labels in turn, so that all of them come up."""

    def __init__(self, records: Sequence[Record]) -> None:
        by_label: dict[int, list[Record]] = {}
        for record in records:
            by_label.setdefault(record.label, []).append(record)
        longest = max(map(len, by_label.values()), default=0)
        rows = [of_label[place : place + 1] for place in range(longest) for of_label in by_label.values()]
        self._records = [record for row in rows for record in row]

    def take(self, n: int) -> list[Record]:
        """Return the next samples, as many as there are."""
        taken, self._records = self._records[:n], self._records[n:]
        return taken


def _controls(release: Release, part: Part, records: Sequence[Record]) -> Iterator[PlannedText]:
    """Yield untouched texts, each compared with itself."""
    for record in records:
        yield _text(release, part, record, record)


def _swapped(release: Release, part: Part, records: Sequence[Record]) -> Iterator[PlannedText]:
    """Yield texts that are compared with others of another label, so that no meaning is kept."""
    left = list(records)
    while left:
        record = left.pop(0)
        other = next((other for other in left if other.label != record.label), None)
        if other is not None:
            left.remove(other)
            yield _text(release, part, record, other)


def _text(release: Release, part: Part, record: Record, original: Record) -> PlannedText:
    return PlannedText(
        key=_key(release, part, record.id, original.id),
        part=part,
        task=record.task,
        row=record.id,
        text=record.text,
        text_pair=record.text_pair,
        original=original.text,
        original_pair=original.text_pair,
        label=record.label,
        keeps=record is original,
    )


def _annotators(
    texts: Sequence[PlannedText], options: DrawOptions, overlap: int
) -> Iterator[PlannedAnnotator]:
    """Yield each annotator's work: a fair share of the cases and all texts with known answers, mixed."""
    work: list[list[PlannedText]] = [[] for _ in range(options.n_annotators)]
    cases = [text for text in texts if text.part == "case"]
    for place, text in enumerate(sorted(cases, key=lambda text: hash_of([options.seed, "share", text.key]))):
        for turn in range(overlap):
            work[(place * overlap + turn) % options.n_annotators].append(text)
    for number, own in enumerate(work, 1):
        own += [text for text in texts if text.part in {"control", "known"}]
        name = f"annotator-{number}"
        order: list[str] = []
        # Task by task, since every task has instructions of its own.
        for task in dict.fromkeys(text.task for text in texts):
            keys = sorted(text.key for text in own if text.task == task)
            order += Draw(options.seed, "order", name, task).sample(keys, len(keys))
        yield PlannedAnnotator(name=name, work=tuple(order))
