"""A plan of annotation: which texts are judged, what is known of them, and who judges which."""

from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from contract.machine.errors import bad_input
from contract.machine.hashes import hash_of
from contract.schema.checked_text import Line, Name, Version
from contract.schema.documents import Count, Document, Fraction, Integer, Sha256, Value
from contract.schema.manifest import Setting

# case: a frozen case; control: an untouched sample; known: a sample that is shown as if it were a changed
# version of another one with another label; training and qualification: of the last two sorts, asked before.
Part = Literal["case", "control", "known", "training", "qualification"]
CHECKS: tuple[Part, ...] = ("control", "known")


class JudgedRelease(Value):
    """The release whose cases are judged."""

    name: Name
    version: Version
    manifest_sha256: Sha256


class PlannedTask(Value):
    """A task as annotators see it."""

    name: Name
    labels: tuple[Line, ...] = Field(min_length=2)
    fields: tuple[Line, ...] = Field(min_length=1, max_length=2)


class PlannedText(Value):
    """A text to judge, and the answers that are right, as far as they are known.

    Its key tells annotators nothing; `row` is the id of the row in the release.
    """

    key: str = Field(pattern=r"^[0-9a-f]{16}$")
    part: Part
    task: Name
    row: str
    text: str
    text_pair: str | None = None
    # What it is compared with; null where nobody knows.
    original: str | None = None
    original_pair: str | None = None
    label: Count
    # Whether it keeps the meaning of what it is compared with; null where annotators must tell.
    keeps: bool | None = None


class PlannedAnnotator(Value):
    """One annotator's work: keys of texts in their order."""

    name: Name
    work: tuple[str, ...]


class DrawnCell(Value):
    """How many cases of a split there are, how many fool a surrogate, and how many are judged."""

    task: Name
    dimension: Name
    setting: Setting
    degree: Fraction | None
    n_cases: Count
    n_successful: Count
    n_drawn: Count


class Plan(Document):
    """What is to be judged and by whom. It holds the right answers: annotators must not see it."""

    SCHEMA: ClassVar[str] = "hardfrost/annotation-plan/1"
    REMEDY: ClassVar[str] = "make it again by `hardfrost annotate plan`"

    schema_: Literal["hardfrost/annotation-plan/1"] = Field(
        alias="schema", default="hardfrost/annotation-plan/1"
    )
    release: JudgedRelease
    seed: Integer
    per_cell: Count
    overlap: Count
    # The share of questions of the qualification part that must be right.
    min_qualification: Fraction
    tasks: tuple[PlannedTask, ...]
    cells: tuple[DrawnCell, ...]
    texts: tuple[PlannedText, ...]
    annotators: tuple[PlannedAnnotator, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _check_keys(self) -> Self:
        """Refuse a plan whose parts do not know each other."""
        tasks = {task.name: len(task.labels) for task in self.tasks}
        keys = {text.key for text in self.texts}
        if len(keys) != len(self.texts):
            raise ValueError("texts: the same key stands twice")
        if len({annotator.name for annotator in self.annotators}) != len(self.annotators):
            raise ValueError("annotators: the same name stands twice")
        for text in self.texts:
            if text.label >= tasks.get(text.task, 0):
                raise ValueError(f"text {text.key} is of a task or label that `tasks` does not list")
        for annotator in self.annotators:
            if not keys.issuperset(annotator.work):
                raise ValueError(f"{annotator.name} is to judge a text that `texts` does not list")
        return self

    @cached_property
    def sha256(self) -> str:
        """The hash by which answers name their plan."""
        return hash_of(self.to_json())

    @cached_property
    def by_key(self) -> dict[str, PlannedText]:
        """The texts by their keys."""
        return {text.key: text for text in self.texts}

    def task(self, name: str) -> PlannedTask:
        """Return a task by name."""
        return next(task for task in self.tasks if task.name == name)

    def annotator(self, name: str) -> PlannedAnnotator | None:
        """Return an annotator by name, if the plan has one."""
        return next((annotator for annotator in self.annotators if annotator.name == name), None)

    def of_part(self, part: Part) -> list[PlannedText]:
        """Return the texts of a part."""
        return [text for text in self.texts if text.part == part]


def read_plan(path: Path) -> Plan:
    """Return the plan in a file."""
    if path.is_dir():
        raise bad_input(f"{path}: is a folder; give the plan that `hardfrost annotate plan` wrote")
    return Plan.read(path)
