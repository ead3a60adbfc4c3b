"""What a person must know of a task's source: read from data_cards/, a missing fact is an error."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contract.machine.errors import bad_input, bad_inputs
from contract.schema.documents import validation_lines
from contract.schema.manifest import Manifest, TaskInfo

CARDS_PATH = Path(__file__).parents[3] / "data_cards" / "tasks"

Text = Annotated[str, Field(min_length=3)]


class TaskCard(BaseModel):
    """The facts about one labelled data set, as its source's documentation has them."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    title: Text
    # The sources that it describes, as recipes write them.
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
    leakage: Text | None = None
    citation: Text


def read_card(path: Path) -> TaskCard:
    """Return the card in a YAML file, or say what is missing in it."""
    try:
        raw: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        return TaskCard.model_validate(raw)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise bad_input(f"{path}: cannot be read as a task card: {error}") from None
    except ValidationError as error:
        raise bad_inputs([f"{path}: {line}" for line in validation_lines(error)]) from None


def cards_of(manifest: Manifest, cards_path: Path | None = None) -> dict[str, TaskCard]:
    """Return the cards of a release's tasks that there are: yours by task, ours by source."""
    shipped = [read_card(path) for path in sorted(CARDS_PATH.glob("*.yaml"))]
    cards = {}
    for task in manifest.tasks:
        own = None if cards_path is None else cards_path / f"{task.name}.yaml"
        if own is not None and own.is_file():
            cards[task.name] = read_card(own)
            continue
        source = f"{manifest.imported_from}:{task.name}" if manifest.imported_from else task.source
        found = next((card for card in shipped if source in card.sources), None)
        if found is not None:
            cards[task.name] = found
    return cards


def missing_facts(manifest: Manifest, cards: Mapping[str, TaskCard]) -> list[str]:
    """Return what must still be written before a release can be published, one line each."""
    problems = []
    for task in manifest.tasks:
        card = cards.get(task.name)
        if card is None:
            keys = ", ".join(name for name in TaskCard.model_fields if name not in {"sources", "leakage"})
            problems.append(
                f"task {task.name}: no card describes {task.source}; write FOLDER/{task.name}.yaml with"
                f" {keys}, and give --cards FOLDER"
            )
            continue
        unexplained = [label for label in task.labels if label not in card.labels]
        if unexplained:
            problems.append(
                f"task {task.name}: the card's `labels` does not explain {', '.join(unexplained)}"
            )
    return problems


def licence_of(task: TaskInfo, card: TaskCard) -> str:
    """Return the licence as the manifest froze it, or as the card knows it where the source said nothing."""
    return card.licence if task.licence == "not stated" else task.licence
