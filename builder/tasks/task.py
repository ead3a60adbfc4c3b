"""A task ready for building: its samples, its training rows, and its entry in the manifest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from builder.tasks import DATA_SOURCES, forms_of_data_sources
from builder.tasks.data_source import DataSource, RawRows
from builder.tasks.labels import check_rows, label_index, label_names
from builder.tasks.listed import LISTED_KINDS
from builder.tasks.listed.loading import ListedRows, coded_rows, joined, listed_labels, read_listed
from builder.tasks.public_names import public_name
from builder.tasks.task_recipe import ReadOptions, TaskRecipe
from builder.values.associations import Associations, learn
from builder.values.samples import (
    DataRow,
    Sample,
    draw_samples,
    in_hash_order,
    letters_and_digits,
    remove_overlap,
)
from contract.machine.errors import bad_input
from contract.machine.hashes import hash_of
from contract.machine.registry import did_you_mean
from contract.schema.manifest import Mean, OverlapInfo, TaskInfo
from contract.task_kinds.multilabel import MULTILABEL

# With more labels one of them is often lost, and their geometric mean is 0 for everybody.
MOST_LABELS_OF_A_PRODUCT = 10


@dataclass(frozen=True, kw_only=True)
class Task:
    """A labelled data set, split into the benchmark's samples and the rows surrogates may train on."""

    info: TaskInfo
    samples: list[Sample]
    train: list[Sample]
    overlap: OverlapInfo
    # Labelled rows of the data source of the samples.
    n_rows: int = 0
    # The true labels of samples and training rows by their id, in tasks with many labels a text.
    lists: Mapping[str, tuple[int | None, ...]] | None = None

    @property
    def account(self) -> str:
        """How many rows are used of how many."""
        used = (
            f"{len(self.samples):,} of {self.n_rows:,} rows are samples, {len(self.train):,} are for training"
        )
        return f"{self.info.name}: {used}" + (
            f"; {self.overlap.n_removed:,} left out, equal to a sample" if self.overlap.n_removed else ""
        )

    @cached_property
    def associations(self) -> Associations:
        """The words that speak for a class, learned from the training rows."""
        # A text with many labels speaks for none of them in particular.
        return learn(self.train, len(self.info.labels)) if self.lists is None else {}


@dataclass(frozen=True, kw_only=True)
class _Loaded:
    """A task whose samples are drawn and whose training rows may still overlap with other tasks'."""

    recipe: TaskRecipe
    labels: tuple[str, ...]
    sha256: str
    licence: str | None
    n_rows: int
    samples: list[DataRow]
    train: list[DataRow]
    # Samples of other parts of the benchmark, which nothing may be trained on either.
    of_other_parts: list[DataRow] = field(default_factory=list)


def load_tasks(recipes: tuple[TaskRecipe, ...]) -> list[Task]:
    """Return the tasks of a recipe; no training row equals a benchmark sample of any of them."""
    loaded = [_load(recipe) for recipe in recipes]
    samples = [row for task in loaded for row in (*task.samples, *task.of_other_parts)]
    benchmark_keys = {letters_and_digits(row.text, row.text_pair) for row in samples}
    return [_finish(task, benchmark_keys) for task in loaded]


def _load(recipe: TaskRecipe) -> _Loaded:
    rows = _load_listed(recipe) if recipe.kind in LISTED_KINDS else _load_labelled(recipe)
    n_drawn = recipe.samples_before + recipe.samples + recipe.samples_after
    drawn = draw_samples(in_hash_order(rows.samples, recipe.sampling_seed), n_drawn)
    n_needed = recipe.samples_before + (recipe.least_samples or recipe.samples) + recipe.samples_after
    if len(drawn.samples) < n_needed:
        parts = " by all parts" if n_drawn > recipe.samples else ""
        raise bad_input(
            f"task {recipe.name}: {n_needed} samples asked for{parts},"
            f" but {public_name(recipe.source)} has {len(drawn.samples)} different texts; ask for fewer"
        )
    part = slice(recipe.samples_before, recipe.samples_before + recipe.samples)
    samples = drawn.samples[part]
    of_other_parts = [*drawn.samples[: part.start], *drawn.samples[part.stop :]]
    rest = drawn.others
    if recipe.train is not None:
        rest = in_hash_order(rows.train, recipe.sampling_seed)
    return replace(rows, samples=samples, of_other_parts=of_other_parts, train=rest)


def _load_labelled(recipe: TaskRecipe) -> _Loaded:
    """Return all rows of a task with one label a text, nothing drawn yet."""
    raw = _read_all(recipe)
    labels = label_names(raw, recipe.labels, recipe.label_map)
    rows = _labelled(raw, labels, recipe, recipe.read)
    train: list[DataRow] = []
    if recipe.train is not None:
        options = recipe.read_train or recipe.read
        raw_train = _read(recipe.train, options, recipe.name)
        train = _labelled(raw_train, labels, recipe, options)
    return _Loaded(
        recipe=recipe,
        labels=labels,
        sha256=raw.sha256,
        licence=raw.licence,
        n_rows=len(raw.rows),
        samples=rows,
        train=train,
    )


def _load_listed(recipe: TaskRecipe) -> _Loaded:
    """Return all rows of a task with many labels a text, nothing drawn yet."""
    sources = [_read_listed(source, recipe.read, recipe) for source in (recipe.source, *recipe.more_sources)]
    sha256 = hash_of([raw.sha256 for raw in sources]) if recipe.more_sources else sources[0].sha256
    raw = joined(sources[0], sources[1:], sha256)
    labels = listed_labels(raw.rows, recipe)
    train: list[DataRow] = []
    if recipe.train is not None:
        raw_train = _read_listed(recipe.train, recipe.read_train or recipe.read, recipe)
        train = coded_rows(raw_train.rows, labels, recipe)
    return _Loaded(
        recipe=recipe,
        labels=labels,
        sha256=raw.sha256,
        licence=raw.licence,
        n_rows=len(raw.rows),
        samples=coded_rows(raw.rows, labels, recipe),
        train=train,
    )


def _read_listed(data_source: str, options: ReadOptions, recipe: TaskRecipe) -> ListedRows:
    source, argument = _source_of(data_source, recipe.name)
    return read_listed(source, argument, options, recipe)


def _finish(task: _Loaded, benchmark_keys: set[str]) -> Task:
    recipe = task.recipe
    training_source = public_name(recipe.train or recipe.source)
    kept = remove_overlap(task.train, benchmark_keys, task=recipe.name, source=training_source)
    # Row numbers of another file would name other rows of the first one.
    train_name = recipe.name if recipe.train is None else f"{recipe.name}-train"
    train = [row.to_sample(train_name) for row in kept.rows[: recipe.train_rows]]
    samples = [row.to_sample(recipe.name) for row in task.samples]
    columns = recipe.read.columns
    fields = [columns.text] + ([] if columns.text_pair is None else [columns.text_pair])
    info = TaskInfo(
        name=recipe.name,
        kind=recipe.kind,
        group=recipe.group,
        labels=task.labels,
        fields=tuple(str(field) for field in fields),
        perturbed=recipe.perturb,
        metrics=recipe.metrics,
        mean=_mean(recipe, len(task.labels)),
        source=public_name(recipe.source),
        source_sha256=task.sha256,
        licence=recipe.licence or task.licence or "not stated",
        has_public_labels=recipe.has_public_labels,
        n_samples=len(samples),
        n_train=len(train),
    )
    return Task(
        info=info,
        samples=sorted(samples, key=lambda sample: sample.id),
        train=train,
        overlap=kept.overlap,
        n_rows=task.n_rows,
        lists=_lists(task.samples, recipe.name) | _lists(kept.rows[: recipe.train_rows], train_name)
        if recipe.kind in LISTED_KINDS
        else None,
    )


def _lists(rows: Sequence[DataRow], name: str) -> dict[str, tuple[int | None, ...]]:
    """Return the true labels of rows by the id that they have as samples."""
    return {row.to_sample(name).id: row.codes or () for row in rows}


def _mean(recipe: TaskRecipe, n_labels: int) -> Mean:
    """Return how the figures of labels are joined; a multilabel task joins two for each label."""
    is_product = recipe.kind == MULTILABEL.name or n_labels <= MOST_LABELS_OF_A_PRODUCT
    return "geometric" if is_product else "above-chance"


def _read(data_source: str, options: ReadOptions, task: str) -> RawRows:
    source, argument = _source_of(data_source, task)
    return source.read(argument, options)


def _source_of(data_source: str, task: str) -> tuple[DataSource, str]:
    name, _, argument = data_source.partition(":")
    if name not in DATA_SOURCES:
        raise bad_input(
            f"task {task}: unknown data source {data_source!r};{did_you_mean(name, DATA_SOURCES)}"
            f" expected {forms_of_data_sources()}"
        )
    return DATA_SOURCES[name], argument


def _read_all(recipe: TaskRecipe) -> RawRows:
    """Return the rows of all data sources of the samples, numbered on from one to the next."""
    raw = _read(recipe.source, recipe.read, recipe.name)
    if not recipe.more_sources:
        return raw
    rows, hashes = list(raw.rows), [raw.sha256]
    for source in recipe.more_sources:
        more = _read(source, recipe.read, recipe.name)
        start = rows[-1].row + 1 if rows else 0
        rows += [replace(row, row=start + row.row) for row in more.rows]
        hashes.append(more.sha256)
    return replace(raw, rows=rows, sha256=hash_of(hashes))


def _labelled(
    raw: RawRows, labels: tuple[str, ...], recipe: TaskRecipe, options: ReadOptions
) -> list[DataRow]:
    if options.unknown == "refuse":
        check_rows(raw.rows, labels, recipe.label_map)
    return [
        DataRow(row=row.row, text=row.text, text_pair=row.text_pair, label=index)
        for row in raw.rows
        if (index := label_index(row.label, labels, recipe.label_map)) is not None
    ]


def content_hash(task: Task) -> str:
    """Return the hash of a task's samples, on which every unit of work depends."""
    return hash_of([[sample.id, sample.text, sample.text_pair, sample.label] for sample in task.samples])
