"""DATASHEET.md: the questions of Gebru et al., Datasheets for Datasets, answered from facts."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from builder.release.documents.facts import UNPUBLISHED, Facts
from builder.release.documents.markdown import cell, counted, sentence
from builder.release.documents.readme import limitations
from builder.release.documents.tables import table_lines
from builder.release.documents.task_cards import licence_of
from contract.schema.names import CLEAN, TRAIN

# Where a card leaves out what it need not say.
NOT_SAID = "its card does not say."
TEMPLATES_PATH = Path(__file__).parent / "templates"


def datasheet_of(facts: Facts, *, has_examples: bool = True) -> str:
    """Return the datasheet; every answer comes from the manifest, the rows or a task's card."""
    manifest = facts.manifest
    # Plain text for people, not HTML; a fact that is not there is an error.
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES_PATH),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701
    )
    answers = environment.get_template("datasheet.md").render(
        manifest=manifest,
        cards=facts.cards,
        repo=facts.repo,
        tag=facts.tag,
        counted=counted,
        sentence=sentence,
        is_published=facts.repo != UNPUBLISHED,
        of_tasks=lambda key: of_tasks(facts, key),
        limitations=list(limitations(facts)),
        n_cases=facts.n_cases,
        n_clean=sum(split.rows for split in manifest.splits if split.dimension == CLEAN),
        n_train=sum(split.rows for split in manifest.splits if split.dimension == TRAIN),
        n_candidates=sum(row.n_candidates for row in manifest.funnel),
        n_attempts=sum(row.n_frozen for row in manifest.funnel if row.attacks),
        n_source_fooled=sum(row.n_source_fooled for row in manifest.funnel),
        n_transferable=sum(row.n_transferable for row in manifest.funnel),
        reasons=sorted({cell(reason) for row in manifest.funnel for reason in row.n_dropped}),
        settings=sorted({row.setting for row in manifest.funnel}),
        dimensions=sorted(manifest.dimensions, key=lambda info: info.order),
        surrogates=list(
            dict.fromkeys(
                f"{info.name} ({cell(info.kind)}, family {cell(info.family)})" for info in manifest.surrogates
            )
        ),
        leaks=[f"*{name}*: {card.leakage}" for name, card in facts.cards.items() if card.leakage],
        licences={task.name: sentence(licence_of(task, facts.cards[task.name])) for task in manifest.tasks},
    )
    # One level down: the questions and the tables are two parts of one document.
    lines = (
        f"#{line}" if line.startswith("## ") else line
        for line in table_lines(facts, has_examples=has_examples)
    )
    return "\n".join([answers, "## Tables", "", *lines]).rstrip() + "\n"


def of_tasks(facts: Facts, key: str) -> str:
    """Return what the cards say, task by task; what tasks share is said once."""
    said: dict[str, list[str]] = {}
    for name, card in facts.cards.items():
        said.setdefault(getattr(card, key) or NOT_SAID, []).append(name)
    return " ".join(f"*{', '.join(names)}*: {_sentence(text)}" for text, names in said.items())


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
