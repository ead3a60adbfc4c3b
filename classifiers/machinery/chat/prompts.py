"""Prompts about a text: made from the task, or from the user's template."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from classifiers.machinery.classifier import TextPair
from contract.machine.errors import bad_input
from contract.machine.registry import unknown_name
from contract.schema.manifest import TaskInfo

_BLANK = re.compile(r"\{(text|text_pair|labels)\}")
_LONGEST_TEMPLATE = 1_000_000


def template_for(task: TaskInfo, paths: Mapping[str, Path]) -> str:
    """Return the template of a task: from the file for it, from the file for all, or made from the task."""
    path = paths.get(task.name) or paths.get("")
    return default_template(task) if path is None else _read_template(path, task)


def default_template(task: TaskInfo) -> str:
    """Return the prompt that asks for one of the task's labels and nothing else."""
    names = [_shown(field) for field in task.fields]
    if len(names) == 1:
        names, blanks = [names[0] or "Text"], ["{text}"]
        question = f"Which label fits the {names[0].lower()} below?"
    else:
        names, blanks = [names[0] or "First text", names[1] or "Second text"], ["{text}", "{text_pair}"]
        question = f"Which label fits the {names[0].lower()} and the {names[1].lower()} below?"
    texts = [f"{name}: {blank}" for name, blank in zip(names, blanks, strict=True)]
    head = [question, "Answer with exactly one of these labels and nothing else: {labels}"]
    return "\n".join([*head, "", *texts, "", "Label:"])


def _shown(field: str) -> str:
    """Return a field's name as a person writes it, or nothing if it is a number, as in bare files."""
    words = field.replace("_", " ").strip()
    return words[:1].upper() + words[1:] if re.fullmatch(r"[^\W\d_][\w ]*", words) else ""


def fill(template: str, texts: TextPair, labels: Sequence[str]) -> str:
    """Return the prompt about a text; only the template's own blanks are filled, never those in a text."""
    text, pair = texts
    values = {"text": text, "text_pair": pair or "", "labels": ", ".join(labels)}
    return _BLANK.sub(lambda match: values[match.group(1)], template)


def check_tasks(paths: Mapping[str, Path], tasks: Sequence[TaskInfo]) -> None:
    """Refuse a prompt for a task that the release does not have."""
    names = [task.name for task in tasks]
    for name in paths:
        if name and name not in names:
            raise unknown_name("task", name, names)


def _read_template(path: Path, task: TaskInfo) -> str:
    try:
        data = path.read_bytes()
        template = data.decode("utf-8-sig")
    except FileNotFoundError:
        raise bad_input(f"{path}: there is no such prompt file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise bad_input(f"{path}: not a UTF-8 text file that can be read ({error})") from None
    if len(data) > _LONGEST_TEMPLATE:
        raise bad_input(f"{path}: a prompt of {len(data):,} bytes; write at most {_LONGEST_TEMPLATE:,}")
    blanks = {"text", "text_pair"} if len(task.fields) == 2 else {"text"}
    missing = sorted(blanks - set(_BLANK.findall(template)))
    if missing:
        wanted = " and ".join(f"{{{blank}}}" for blank in missing)
        raise bad_input(f"{path}: the prompt for task {task.name} has no {wanted}; say where it goes")
    return template
