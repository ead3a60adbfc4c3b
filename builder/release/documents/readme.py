"""The data card: README.md, for people who find the release on the Hub."""

from collections.abc import Iterator

from builder.release.documents.attempts import attempts_lines
from builder.release.documents.examples import examples_lines
from builder.release.documents.facts import Facts
from builder.release.documents.front_matter import front_matter
from builder.release.documents.markdown import cell, code, counted, number, sentence, table
from builder.release.documents.people import annotator_lines, filter_lines
from builder.release.documents.task_cards import licence_of
from contract.schema.manifest import DimensionInfo, TaskInfo

NAMES_OF_MEASURES = {
    "edit": "edit distance over characters",
    "words": "words changed over words",
    "embedding": "cosine distance of sentence embeddings",
    None: "",
}


def readme_of(facts: Facts, *, has_examples: bool = True) -> str:
    """Return the card: front matter, then what a person wants to know, most useful first."""
    body = "\n".join(_lines(facts, has_examples=has_examples))
    return f"{front_matter(facts.manifest, facts.cards)}\n{body}\n"


def _lines(facts: Facts, *, has_examples: bool) -> Iterator[str]:
    manifest = facts.manifest
    yield f"# {manifest.name} {manifest.version}"
    yield ""
    yield facts.opening
    yield (
        f"{counted(facts.n_samples, 'sample')} of {counted(len(manifest.tasks), 'task')},"
        f" {counted(facts.n_cases, 'case')} along {counted(len(manifest.dimensions), 'dimension')}."
        f" Recipe `{manifest.recipe_sha256[:12]}`, seed {manifest.seed}; labels are {manifest.labels}."
    )
    yield ""
    if facts.missing:
        yield "**This card is incomplete, and the release cannot be published yet:**"
        yield ""
        yield from (f"- {sentence(problem)}" for problem in facts.missing)
        yield ""
    yield from _use(facts)
    yield from _tasks(facts)
    yield from _dimensions(facts)
    yield from _splits(facts)
    if has_examples:
        yield from examples_lines(facts)
    yield from _funnel(facts)
    yield from attempts_lines(facts)
    yield from filter_lines(facts)
    yield from annotator_lines(facts)
    yield from _surrogates(facts)
    yield from _limitations(facts)
    yield "## Canary"
    yield ""
    yield "Benchmark data should never stand in training corpora. If you find this string in one, it does:"
    yield code(manifest.canary)


def _use(facts: Facts) -> Iterator[str]:
    manifest = facts.manifest
    example = next((split for split in manifest.splits if split.is_adversarial and split.rows), None)
    yield "## Load it"
    yield ""
    if example is not None:
        yield "```python"
        yield "from datasets import load_dataset"
        yield ""
        place = f'"{facts.repo}", "{example.config}", split="{example.name}"'
        yield f'load_dataset({place}, revision="{facts.tag}")'
        yield "```"
        yield ""
    yield from _configs(facts)
    yield "Every config has the same columns: `text` (and `text_pair`) is what a model reads, `edits` says"
    yield "what was done to the original, and `id` names a row in predictions files."
    yield ""
    yield "## Submit a model"
    yield ""
    yield "```console"
    yield f"$ hardfrost download {facts.repo}@{manifest.version} -o release"
    yield "$ hardfrost predict release --model hf:YOUR/MODEL -o predictions.jsonl"
    yield "$ hardfrost check release predictions.jsonl"
    if manifest.labels == "public":
        yield "$ hardfrost score release predictions.jsonl --model-name NAME -o result.json"
    yield "```"
    yield ""
    if manifest.labels == "withheld":
        yield "Labels are withheld: send the predictions to the publisher of this release, who scores them."
        yield ""


def _configs(facts: Facts) -> Iterator[str]:
    """Yield what the configs of attacked settings hold, where there are any."""
    if not facts.is_attacked:
        return
    yield "`TASK__DIMENSION__SETTING` holds all cases of a cell, degree by degree. In the settings `score`"
    yield "and `gradient` these are the strongest attempts on every sample that a source has right, whether"
    yield "or not they fool anybody: `source_fooled` and `transfer` say whom."
    if facts.manifest.labels == "public":
        yield "`TASK__DIMENSION__SETTING__transferable` holds only those that fool their source and enough of"
        yield "the other families of surrogates, as AdvGLUE selects its cases. `TASK__all` is every row."
    yield ""


def _tasks(facts: Facts) -> Iterator[str]:
    yield "## Tasks"
    yield ""
    rows = [
        [
            cell(task.name),
            cell(", ".join(task.labels)),
            cell(task.source),
            str(task.n_samples),
            str(task.n_train),
        ]
        for task in facts.manifest.tasks
    ]
    yield from table(["task", "labels", "source", "samples", "training rows"], rows, n_texts=3)
    for task in facts.manifest.tasks:
        yield ""
        yield from _task(facts, task)
    yield ""


def _task(facts: Facts, task: TaskInfo) -> Iterator[str]:
    card = facts.cards.get(task.name)
    yield f"### {cell(task.name)}"
    yield ""
    if card is None:
        yield f"Source: {cell(task.source)}. Licence: {cell(task.licence)}."
        return
    yield f"**{card.title}.** {card.origin} Made by {card.creators}; see {card.homepage}."
    yield ""
    yield f"- Licence: {sentence(licence_of(task, card))}."
    yield f"- Collected: {card.collection}"
    yield f"- Labelled: {card.annotation}"
    for label in task.labels:
        yield f"  - {code(label)}: {card.labels.get(label, 'not explained')}"
    yield f"- Known biases: {card.biases}"
    yield f"- Sensitive content: {card.sensitive}"
    if card.leakage:
        yield f"- **Leakage**: {card.leakage}"
    for overlap in facts.manifest.overlap:
        if overlap.task == task.name:
            yield (
                f"- {overlap.n_removed} rows of {cell(overlap.training_source)} were kept out of training"
                " because they equal a benchmark sample on letters and digits."
            )
    yield f"- Cite: {card.citation}"


def _dimensions(facts: Facts) -> Iterator[str]:
    manifest = facts.manifest
    yield "## Dimensions"
    yield ""
    rows = [
        [
            f"`{info.name}`",
            info.level or "",
            info.tag or "",
            NAMES_OF_MEASURES[info.measure],
            cell(_done(info)),
        ]
        for info in sorted(manifest.dimensions, key=lambda info: info.order)
    ]
    yield from table(["dimension", "level", "tag", "degree", "what is done"], rows, n_texts=5)
    yield ""


def _done(info: DimensionInfo) -> str:
    return "; ".join(filter(None, [info.summary, info.stands_for]))


def _splits(facts: Facts) -> Iterator[str]:
    yield "## Splits"
    yield ""
    rows = [
        [
            split.config,
            split.name,
            split.tier or "",
            "" if split.degree is None else f"{split.degree:g}",
            number(split.mean_realised_degree),
            str(split.rows),
            str(split.samples),
        ]
        for split in facts.manifest.splits
    ]
    names = ["config", "split", "tier", "degree", "mean realised", "rows", "samples"]
    yield from table(names, rows, n_texts=3)
    yield ""


def _funnel(facts: Facts) -> Iterator[str]:
    if not facts.manifest.funnel:
        return
    yield "## Funnel"
    yield ""
    yield "What became of every candidate: `carry` are samples that can show the degree at all."
    yield ""
    rows = [
        [
            row.task,
            row.dimension,
            row.setting,
            ", ".join(f"{n} {cell(reason)}" for reason, n in sorted(row.n_dropped.items())),
            "" if row.degree is None else f"{row.degree:g}",
            str(row.n_samples),
            str(row.n_carrying),
            str(row.n_candidates),
            str(row.n_frozen),
        ]
        for row in facts.manifest.funnel
    ]
    names = ["task", "dimension", "setting", "dropped", "degree", "samples", "carry", "candidates", "frozen"]
    yield from table(names, rows, n_texts=4)
    yield ""


def _surrogates(facts: Facts) -> Iterator[str]:
    manifest = facts.manifest
    yield "## Surrogates"
    yield ""
    if not manifest.surrogates:
        yield (
            "No model was used in making this release."
            if manifest.imported_from is None
            else ("Models that its authors used are described in their paper; none was used here.")
        )
        yield ""
        return
    yield "Classifiers that took part in the making; they and their kin are never ranked on leaderboards."
    yield ""
    rows = [
        [
            info.task,
            f"`{info.name}`",
            cell(info.kind),
            cell(info.family),
            "attacked" if info.is_source else "votes",
            str(info.n_train or ""),
            number(info.clean_accuracy),
        ]
        for info in manifest.surrogates
    ]
    names = ["task", "surrogate", "kind", "family", "role", "trained on", "clean accuracy"]
    yield from table(names, rows, n_texts=5)
    yield ""


def _limitations(facts: Facts) -> Iterator[str]:
    manifest = facts.manifest
    yield "## Limitations"
    yield ""
    yield from (f"- {line}" for line in limitations(facts))
    if any(task.has_public_labels for task in manifest.tasks) and manifest.labels == "withheld":
        names = ", ".join(task.name for task in manifest.tasks if task.has_public_labels)
        yield f"- The labels of {names} are public at their source: withholding them here protects little."
    if facts.is_attacked and manifest.labels == "withheld":
        yield (
            "- In the settings `score` and `gradient` a model much like the surrogates is often wrong:"
            " inverting its answers may guess labels of those splits better than chance. Surrogates,"
            " training rows and the tier of each case are kept back for that reason."
        )
    yield ""


def limitations(facts: Facts) -> Iterator[str]:
    """Yield what scores on this release do not show."""
    yield "A frozen benchmark measures cases made once; an attacker who sees the model finds worse ones."
    if facts.is_attacked:
        yield (
            "Cases of the settings `score` and `gradient` were made against the surrogates: models that"
            " resemble a surrogate look weaker than they are. Cases of the tier `transferable` are those on"
            " which the surrogates fail: accuracy on them rewards being unlike the surrogates."
        )
    if facts.manifest.imported_from is None:
        yield (
            "Labels of cases are those of their originals. Filters keep the meaning as far as rules and"
            " models can judge it; unless `annotation` is filled, no panel of people has checked the cases."
        )
        yield "High degrees of malicious dimensions are hard to read for people too: look at whole curves."
    yield "Texts are English; dimensions are written for English spelling, grammar and keyboards."
