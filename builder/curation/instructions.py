"""What annotators are told of a task, found by its labels; others get general words."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from builder.curation.plan import PlannedTask
from contract.machine.yaml_files import read_yaml

FOLDER = Path(__file__).parent / "instructions"
Sentence = Annotated[str, Field(min_length=3)]


class Example(BaseModel):
    """A made-up text, its label and why it has it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Sentence
    text_pair: Sentence | None = None
    label: str
    why: Sentence


class Instructions(BaseModel):
    """The question of a task, what each label means, what to mind, and examples."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Sentence
    labels: dict[str, Sentence]
    rules: tuple[Sentence, ...]
    examples: tuple[Example, ...] = ()


def instructions_of(task: PlannedTask) -> Instructions:
    """Return the instructions written for tasks with these labels, or general ones."""
    for path in sorted(FOLDER.glob("*.yaml")):
        written = Instructions.model_validate(_value(path))
        if set(written.labels) == set(task.labels) and _has_fields(written, task):
            return written
    texts = "text" if len(task.fields) == 1 else "two texts"
    return Instructions(
        question=f"Which label fits the {texts}?",
        labels={label: f"The {texts} would be called “{label}” by most people." for label in task.labels},
        rules=("Judge by what is written, not by what you know or believe.",),
    )


def _has_fields(written: Instructions, task: PlannedTask) -> bool:
    is_pair = any(example.text_pair is not None for example in written.examples)
    return is_pair == (len(task.fields) == 2)


def _value(path: Path) -> Any:
    return read_yaml(path).value
