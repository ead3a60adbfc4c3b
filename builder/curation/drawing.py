"""Draws a plan: successful cases of every split, texts with known answers, and who judges which."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.curation.known_texts import DrawOptions, key_of, known_texts, shuffled
from builder.curation.plan import (
    DrawnCell,
    JudgedRelease,
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
from contract.schema.manifest import TURNED_LABELS, Manifest, SplitInfo, TaskInfo
from contract.schema.names import CLEAN
from contract.schema.records import Record, records_of
from contract.task_kinds.refusing import need_one_label


def draw_plan(release: Release, options: DrawOptions) -> Plan:
    """Return the plan: the same release and options give the same plan."""
    manifest = release.manifest
    _check(release, options)
    overlap = options.n_annotators if options.overlap is None else options.overlap
    tasks = [task for task in manifest.tasks if not options.tasks or task.name in options.tasks]
    need_one_label(tasks, "a plan for annotators")
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
            texts += [_case(release, record, options.seed) for record in cases]
            texts += known_texts(release, task, {record.sample_id for record in cases}, options)
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
    known: dict[str, tuple[Sequence[str], Sequence[str]]] = {
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
    drawn = shuffled(pool, options.seed, "case")
    first = {record.sample_id: record for record in reversed(drawn)}
    others = [record for record in drawn if first[record.sample_id] is not record]
    chosen = [*(record for record in drawn if first[record.sample_id] is record), *others][: options.per_cell]
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


def _case(release: Release, record: Record, seed: int) -> PlannedText:
    # Where people turned the label on purpose, nobody is asked whether the meaning is kept.
    is_turned = release.manifest.imported_from in TURNED_LABELS
    return PlannedText(
        key=key_of(release, seed, "case", record.id),
        part="case",
        task=record.task,
        row=record.id,
        text=record.text,
        text_pair=record.text_pair,
        original=None if is_turned else record.original_text,
        original_pair=None if is_turned else record.original_text_pair,
        label=record.label,
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
