"""The data card: README.md, for people who find the release on the Hub."""

from collections.abc import Iterator

from builder.release.documents.examples import examples_lines
from builder.release.documents.facts import Facts
from builder.release.documents.front_matter import front_matter
from builder.release.documents.glossary import glossary_lines
from builder.release.documents.labels import label_lines
from builder.release.documents.markdown import cell, code, counted, number, sentence, table
from builder.release.documents.people import annotator_lines, filter_lines
from builder.release.documents.tables import table_lines
from builder.release.documents.task_cards import licence_of
from contract.release.case_counts import cases_of_samples
from contract.schema.manifest import DimensionInfo, TaskInfo
from contract.task_kinds import TASK_KINDS

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
    if facts.without_attacks:
        yield f"**{facts.without_attacks}**"
        yield ""
    yield facts.opening
    seed = "" if manifest.labels == "withheld" else f", seed {manifest.seed}"
    yield (
        f"{counted(facts.n_samples, 'sample')} of {counted(len(manifest.tasks), 'task')},"
        f" {counted(facts.n_cases, 'case')} along {counted(len(manifest.dimensions), 'dimension')}."
        f" Recipe `{manifest.recipe_sha256[:12]}`{seed}; labels are {manifest.labels}."
    )
    yield ""
    if facts.missing:
        yield "**This card is incomplete, and the release cannot be published yet:**"
        yield ""
        yield from (f"- {sentence(problem)}" for problem in facts.missing)
        yield ""
    yield from _use(facts)
    yield from _tasks(facts)
    if has_examples:
        # Both read rows, which a card of a manifest alone does not have.
        yield from label_lines(facts)
    yield from _dimensions(facts)
    yield from glossary_lines(facts)
    yield from _splits(facts)
    if has_examples:
        yield from examples_lines(facts, is_short=True)
    if any(row.methods for row in manifest.funnel) or manifest.annotation is not None:
        yield from filter_lines(facts)
    yield from annotator_lines(facts)
    yield from _surrogates(facts)
    yield from _limitations(facts)
    yield "## Canary"
    yield ""
    yield "Benchmark data should never stand in training corpora. If you find this string in one, it does:"
    yield code(manifest.canary)
    if facts.missing:
        yield ""
        yield from table_lines(facts, has_examples=has_examples)


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
    yield "Every config has the same columns: `text` (and `text_pair`) is what a model reads, and `id` names"
    if manifest.labels == "public":
        yield "a row in predictions files; `edits` says what was done to the original."
    else:
        yield "a row in predictions files; columns that would tell labels, such as `edits`, are empty."
    yield from _kinds(facts)
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


def _kinds(facts: Facts) -> Iterator[str]:
    """Yield how rows with many labels are read and answered."""
    for task in facts.manifest.tasks:
        kind = TASK_KINDS[task.kind]
        if kind.lists is not None:
            yield ""
            yield (
                f"Task {code(task.name)} has {kind.summary}: its rows also have the column `labels`"
                f" ({kind.lists.codes}), and `label` is -1. In predictions give {kind.lists.answer}."
            )


def _configs(facts: Facts) -> Iterator[str]:
    """Yield what the configs of attacked settings hold, where there are any."""
    if not facts.is_attacked:
        return
    yield "`TASK__DIMENSION__SETTING` holds all cases of a cell, degree by degree. In the settings `score`"
    whom = "every sample" if facts.manifest.recipe.get("decoys") else "every sample that a source has right"
    yield f"and `gradient` these are the strongest attempts on {whom}, whether"
    yield "or not they fool anybody."
    if facts.manifest.labels == "public":
        yield "`source_fooled` and `transfer` say whom they fool."
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
    """Yield how many rows there are by dimension and setting; every split is in the datasheet."""
    manifest = facts.manifest
    settings = list(dict.fromkeys(split.setting for split in manifest.splits if split.setting is not None))
    yield "## Splits"
    yield ""
    where = "at the end of this card" if facts.missing else "in DATASHEET.md"
    yield f"Rows by dimension and setting, all degrees together; every split, with the funnel, is {where}."
    yield ""
    rows = []
    for task in manifest.tasks:
        for name in dict.fromkeys(split.dimension for split in manifest.splits if split.task == task.name):
            of_name = [s for s in manifest.splits if (s.task, s.dimension) == (task.name, name) and s.rows]
            degrees = sorted({split.degree for split in of_name if split.degree})
            counts = [sum(s.rows for s in of_name if s.setting == setting) for setting in settings]
            plain = sum(split.rows for split in of_name if split.setting is None)
            shown = ["" if not n else f"{n:,}" for n in (plain, *counts)]
            rows.append([task.name, name, " ".join(f"{degree:g}" for degree in degrees), *shown])
    yield from table(["task", "dimension", "degrees", "plain", *settings], rows, n_texts=3)
    yield ""
    yield from _cases_of_samples(facts)


def _cases_of_samples(facts: Facts) -> Iterator[str]:
    """Yield how many different cases a sample has, where many are wanted."""
    found = list(cases_of_samples(facts.manifest))
    if not found:
        return
    yield f"### Cases of a sample, of {found[0].n_wanted} wanted"
    yield ""
    yield "In the mean of the samples that have any, by degree; some texts have no more different valid ones."
    yield ""
    degrees = sorted({degree for row in found for degree in row.by_degree})
    rows = [
        [row.task, row.dimension, *(f"{row.by_degree[d]:.1f}" if d in row.by_degree else "" for d in degrees)]
        for row in found
    ]
    yield from table(["task", "dimension", *(f"{degree:g}" for degree in degrees)], rows, n_texts=2)
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
    if manifest.labels == "withheld":
        yield (
            "- Outsiders' models attacked these labels before they were published (`hardfrost leak`): none"
            " guesses them from cases, numbers, ids or order better than from clean texts alone, within the"
            " bound that the command states. Better models may; clean texts tell what they tell."
        )
        if manifest.left_out:
            yield f"- Left out, since they would tell labels: {', '.join(map(cell, manifest.left_out))}."
        if manifest.recipe.get("decoys"):
            yield (
                "- Among the cases are decoys, made as if another label were right. They are answered like"
                " the others and do not count; nobody but the publisher can tell them apart."
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
    yield f"{facts.languages}Dimensions are written for English spelling, grammar and keyboards."
