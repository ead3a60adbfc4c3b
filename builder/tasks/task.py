"""A task ready for building: its samples, its training rows, and its entry in the manifest."""

from dataclasses import dataclass, replace
from functools import cached_property

from builder.tasks import DATA_SOURCES, forms_of_data_sources
from builder.tasks.data_source import RawRows
from builder.tasks.labels import check_rows, label_index, label_names
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
from contract.schema.manifest import OverlapInfo, TaskInfo

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
        return learn(self.train, len(self.info.labels))


@dataclass(frozen=True, kw_only=True)
class _Loaded:
    """A task whose samples are drawn and whose training rows may still overlap with other tasks'."""

    recipe: TaskRecipe
    labels: tuple[str, ...]
    raw: RawRows
    samples: list[DataRow]
    train: list[DataRow]


def load_tasks(recipes: tuple[TaskRecipe, ...]) -> list[Task]:
    """Return the tasks of a recipe; no training row equals a benchmark sample of any of them."""
    loaded = [_load(recipe) for recipe in recipes]
    samples = [row for task in loaded for row in task.samples]
    benchmark_keys = {letters_and_digits(row.text, row.text_pair) for row in samples}
    return [_finish(task, benchmark_keys) for task in loaded]


def _load(recipe: TaskRecipe) -> _Loaded:
    raw = _read_all(recipe)
    labels = label_names(raw, recipe.labels, recipe.label_map)
    rows = _labelled(raw, labels, recipe, recipe.read)
    drawn = draw_samples(in_hash_order(rows, recipe.sampling_seed), recipe.samples)
    if len(drawn.samples) < (recipe.least_samples or recipe.samples):
        raise bad_input(
            f"task {recipe.name}: {recipe.least_samples or recipe.samples} samples asked for,"
            f" but {public_name(recipe.source)} has {len(drawn.samples)} different texts; ask for fewer"
        )
    rest = drawn.others
    if recipe.train is not None:
        options = recipe.read_train or recipe.read
        raw_train = _read(recipe.train, options, recipe.name)
        rest = in_hash_order(_labelled(raw_train, labels, recipe, options), recipe.sampling_seed)
    return _Loaded(recipe=recipe, labels=labels, raw=raw, samples=drawn.samples, train=rest)


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
        group=recipe.group,
        labels=task.labels,
        fields=tuple(str(field) for field in fields),
        perturbed=recipe.perturb,
        metrics=recipe.metrics,
        mean="above-chance" if len(task.labels) > MOST_LABELS_OF_A_PRODUCT else "geometric",
        source=public_name(recipe.source),
        source_sha256=task.raw.sha256,
        licence=recipe.licence or task.raw.licence or "not stated",
        has_public_labels=recipe.has_public_labels,
        n_samples=len(samples),
        n_train=len(train),
    )
    return Task(
        info=info,
        samples=sorted(samples, key=lambda sample: sample.id),
        train=train,
        overlap=kept.overlap,
        n_rows=len(task.raw.rows),
    )


def _read(data_source: str, options: ReadOptions, task: str) -> RawRows:
    name, _, argument = data_source.partition(":")
    if name not in DATA_SOURCES:
        raise bad_input(
            f"task {task}: unknown data source {data_source!r};{did_you_mean(name, DATA_SOURCES)}"
            f" expected {forms_of_data_sources()}"
        )
    return DATA_SOURCES[name].read(argument, options)


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
