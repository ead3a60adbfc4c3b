"""Task cards: what a reader must know of a task's data, read from data_cards/."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from builder.tasks import DATA_SOURCES
from contract.machine.errors import bad_inputs
from contract.machine.registry import Registry
from contract.machine.yaml_files import read_yaml
from contract.schema.documents import validation_lines
from contract.schema.manifest import Manifest, TaskInfo

CARDS_PATH = Path(__file__).parents[3] / "data_cards" / "tasks"

Text = Annotated[str, Field(min_length=3)]
# What `init` writes in place of a fact.
TO_FILL_IN = "TO FILL IN"


class TaskCard(BaseModel):
    """The facts about one labelled data set, as its own documentation states them."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    title: Text
    # The data sources that it describes, as recipes write them.
    sources: tuple[str, ...] = ()
    origin: Text
    creators: Text
    homepage: Text
    licence: Text
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
    collection: Text
    annotation: Text
    labels: dict[str, Text]
    biases: Text
    sensitive: Text
    # Whether those who wrote or are written about were asked; the datasheet says so where it is not stated.
    consent: Text | None = None
    leakage: Text | None = None
    citation: Text


def read_card(path: Path) -> TaskCard:
    """Return the card in a YAML file; an error names every missing fact."""
    try:
        return TaskCard.model_validate(read_yaml(path).value)
    except ValidationError as error:
        raise bad_inputs([f"{path}: {line}" for line in validation_lines(error)]) from None


def _shipped_cards() -> dict[str, TaskCard]:
    """Return the cards that ship with Hardfrost, by the name of their task."""
    return {path.stem: read_card(path) for path in sorted(CARDS_PATH.glob("*.yaml"))}


class DescribedTask(NamedTuple):
    """A task that a shipped card describes, as `hardfrost list tasks` shows it."""

    name: str
    summary: str


def described_tasks() -> Registry[DescribedTask]:
    """Return the tasks that shipped cards describe, with the data sources that recipes write for them."""
    return Registry(
        "task",
        [
            DescribedTask(name, ": ".join(filter(None, [card.title, ", ".join(_in_recipes(card))])))
            for name, card in _shipped_cards().items()
            if _in_recipes(card)
        ],
    )


def _in_recipes(card: TaskCard) -> list[str]:
    """Return the data sources of a card that a recipe can name; others are those of imported releases."""
    return [source for source in card.sources if source.partition(":")[0] in DATA_SOURCES]


def cards_of(manifest: Manifest, cards_path: Path | None = None) -> dict[str, TaskCard]:
    """Return the cards of tasks: from the given folder by task, else a shipped one by data source."""
    shipped = _shipped_cards()
    named_cards = _named_cards(manifest)
    cards = {}
    for task in manifest.tasks:
        own = None if cards_path is None else cards_path / f"{task.name}.yaml"
        if own is not None and own.is_file():
            cards[task.name] = read_card(own)
            continue
        if named_cards.get(task.name) in shipped:
            cards[task.name] = shipped[named_cards[task.name]]
            continue
        data_source = f"{manifest.imported_from}:{task.name}" if manifest.imported_from else task.source
        card = next((card for card in shipped.values() if data_source in card.sources), None)
        if card is not None:
            cards[task.name] = card
    return cards


def _named_cards(manifest: Manifest) -> dict[str, str]:
    """Return the cards that the recipe names, by task; the recipe of a manifest may hold anything."""
    tasks = manifest.recipe.get("tasks")
    entries = [task for task in tasks if isinstance(task, dict)] if isinstance(tasks, list) else []
    return {str(task.get("name")): str(task["card"]) for task in entries if task.get("card") is not None}


def missing_facts(manifest: Manifest, cards: Mapping[str, TaskCard]) -> list[str]:
    """Return what must still be written before a release can be published, one line each."""
    problems = []
    for task in manifest.tasks:
        card = cards.get(task.name)
        if card is None:
            keys = ", ".join(
                name for name in TaskCard.model_fields if name not in {"sources", "consent", "leakage"}
            )
            problems.append(
                f"task {task.name}: no card describes {task.source}; `hardfrost card DIR -o FOLDER` writes"
                f" FOLDER/{task.name}.yaml to fill in ({keys}); then give --cards FOLDER"
            )
            continue
        gaps = [name for name, value in _facts(card) if value.startswith(TO_FILL_IN)]
        if gaps:
            problems.append(
                f"task {task.name}: the card's {', '.join(f'`{name}`' for name in gaps)}: to fill in"
            )
        unexplained = [label for label in task.labels if label not in card.labels]
        if unexplained:
            problems.append(
                f"task {task.name}: the card's `labels` does not explain {', '.join(unexplained)}"
            )
    return problems


def _facts(card: TaskCard) -> Iterator[tuple[str, str]]:
    for name, value in card:
        if isinstance(value, str):
            yield name, value
    yield from ((f"labels.{label}", meaning) for label, meaning in card.labels.items())


def licence_of(task: TaskInfo, card: TaskCard) -> str:
    """Return the licence of the manifest, or of the card where the data source states none."""
    return card.licence if task.licence == "not stated" else task.licence
