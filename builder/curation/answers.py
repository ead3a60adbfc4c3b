"""The gate for annotators' files: strangers' JSON, read only if it fits the plan; every fault is named."""

import json
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from builder.curation.plan import Plan, PlannedText
from contract.machine.errors import UserError, bad_input, bad_inputs
from contract.machine.json_text import parsed_json, pretty_json
from contract.machine.problems import shown
from contract.machine.registry import did_you_mean
from contract.machine.whole_files import write_text
from contract.schema.annotations import AnnotatorKind
from contract.schema.checked_text import Line
from contract.schema.documents import validation_lines

SCHEMA: Literal["hardfrost/answers/1"] = "hardfrost/answers/1"
# Room for the file's head and, generously, for every answer.
BYTES_OF_A_HEAD = 10_000
BYTES_OF_AN_ANSWER = 1_000
# What judges that are models are called.
JUDGE_PREFIX = "api:"
REMEDY = "export the answers again from the annotator's page"

Rating = Annotated[int, Field(ge=1, le=5)]


class _Strict(BaseModel):
    """A part of a stranger's file: no field that is not known, no value of another type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Answer(_Strict):
    """What an annotator says of a text; ratings are from 1 to 5."""

    key: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    label: Annotated[str, Field(max_length=1_000)]
    # Whether the deciding part keeps its meaning; null where there is no original.
    keeps: bool | None = None
    similarity: Rating | None = None
    fluency: Rating | None = None
    seconds: Annotated[float, Field(ge=0, le=10_000_000)] | None = None


class AnswerFile(_Strict):
    """An annotator's answers to the texts of a plan."""

    schema_: Annotated[Literal["hardfrost/answers/1"], Field(alias="schema")] = SCHEMA
    plan: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    annotator: Line
    kind: AnnotatorKind
    # How often the qualification part of a task was done.
    tries: dict[Annotated[str, Field(max_length=60)], Annotated[int, Field(ge=0, le=1_000)]] = {}
    answers: Annotated[list[Answer], Field(max_length=10_000_000)]

    def write(self, path: Path) -> None:
        """Write the file whole."""
        write_text(path, pretty_json(self.model_dump(mode="json", by_alias=True)))


def read_all(paths: Sequence[Path], plan: Plan) -> list[AnswerFile]:
    """Return the answers of all files; one error lists what is wrong with any of them."""
    files: list[AnswerFile] = []
    problems: list[str] = []
    place_of: dict[str, Path] = {}
    for path in paths:
        try:
            file = read_answers(path, plan)
        except UserError as error:
            problems.append(error.message)
            continue
        if file.annotator in place_of:
            problems.append(
                f"{path}: answers of {shown(file.annotator)}, whom {place_of[file.annotator]} is of, too;"
                " give one of them"
            )
        place_of.setdefault(file.annotator, path)
        files.append(file)
    if problems:
        raise bad_inputs([line for problem in problems for line in problem.splitlines()])
    return files


def read_answers(path: Path, plan: Plan) -> AnswerFile:
    """Return the answers in a file, or one error that lists everything that is wrong with it."""
    raw = _parsed(path, BYTES_OF_A_HEAD + BYTES_OF_AN_ANSWER * len(plan.texts))
    if not isinstance(raw, dict):
        raise bad_input(f"{path}: expected an object with answers, found {shown(raw)}; {REMEDY}")
    if raw.get("schema") != SCHEMA:
        raise bad_input(f"{path}: schema is {shown(raw.get('schema'))}, expected {SCHEMA!r}; {REMEDY}")
    try:
        # Parsed by pydantic as JSON, where a list is no tuple and a number is no bool.
        file = AnswerFile.model_validate(raw)
    except ValidationError as error:
        raise bad_inputs([f"{path}: {line}; {REMEDY}" for line in validation_lines(error)]) from None
    problems = [f"{path}: {problem}" for problem in _problems(file, plan)]
    if problems:
        raise bad_inputs(problems)
    return file


def _parsed(path: Path, most_bytes: int) -> Any:
    """Return the JSON value of a file that is not too large to be answers to the plan."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise bad_input(f"{path}: not a file; give the file that an annotator's page exported")
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
        if len(data) > most_bytes:
            raise bad_input(
                f"{path}: larger than {most_bytes:,} bytes, which no answers to this plan need; {REMEDY}"
            )
        text = data.decode()
    except FileNotFoundError:
        raise bad_input(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise bad_input(f"{path}: cannot be read as UTF-8 text ({error}); {REMEDY}") from None
    try:
        value = parsed_json(text, parse_constant=_refused, object_pairs_hook=_without_twins)
        # Half of a character could not be written again.
        json.dumps(value, ensure_ascii=False).encode()
    except ValueError as error:
        raise bad_input(f"{path}: not JSON that can be read ({str(error)[:200]}); {REMEDY}") from None
    return value


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not a number in JSON")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in an object")
    return found


def _problems(file: AnswerFile, plan: Plan) -> Iterator[str]:
    """Yield what does not fit the plan."""
    if file.plan != plan.sha256:
        yield (
            f"plan: answers to the plan {file.plan[:12]}…, not to this one ({plan.sha256[:12]}…);"
            " give the plan that the page was made from"
        )
        return
    allowed = _keys_of(file, plan)
    if allowed is None:
        names = [annotator.name for annotator in plan.annotators]
        guess = did_you_mean(file.annotator, names)
        yield (
            f"annotator: {shown(file.annotator)} is no {file.kind} of this plan;{guess} it has"
            f" {', '.join(names)}, and models are called {JUDGE_PREFIX}NAME"
        )
        return
    unknown = [name for name in file.tries if name not in {task.name for task in plan.tasks}]
    if unknown:
        yield f"tries: {shown(unknown[0])} is no task of this plan; {REMEDY}"
    seen: set[str] = set()
    for place, answer in enumerate(file.answers):
        for problem in _problems_of(answer, plan, allowed, seen):
            yield f"answers[{place}].{problem}"
        seen.add(answer.key)


def _keys_of(file: AnswerFile, plan: Plan) -> set[str] | None:
    """Return the texts that an annotator may answer; nothing if the plan has no such annotator."""
    if file.kind == "model":
        is_judge = file.annotator.startswith(JUDGE_PREFIX)
        return {text.key for text in plan.texts if text.part != "training"} if is_judge else None
    annotator = plan.annotator(file.annotator)
    if annotator is None:
        return None
    return {*annotator.work, *(text.key for text in plan.of_part("qualification"))}


def _problems_of(answer: Answer, plan: Plan, allowed: set[str], seen: set[str]) -> Iterator[str]:
    if answer.key not in allowed:
        yield f"key: {answer.key} is not among this annotator's texts; {REMEDY}"
        return
    if answer.key in seen:
        yield f"key: {answer.key} was answered before; {REMEDY}"
    text = plan.by_key[answer.key]
    labels = plan.task(text.task).labels
    if answer.label not in labels:
        guess = did_you_mean(answer.label, labels)
        yield f"label: {shown(answer.label)} is no label of {text.task};{guess} known: {', '.join(labels)}"
    if (answer.keeps is None) != (text.original is None):
        yield f"keeps: found {shown(answer.keeps)}, expected {_expected(text)}; {REMEDY}"


def _expected(text: PlannedText) -> str:
    return "nothing, since there is no original" if text.original is None else "true or false"
