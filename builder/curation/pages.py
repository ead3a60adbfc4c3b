"""Writes the page of an annotator: one offline file with texts, and answers to what precedes the work."""

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from builder.curation.instructions import instructions_of
from builder.curation.plan import Plan, PlannedAnnotator, PlannedTask, PlannedText
from contract.machine.visible_text import visible
from contract.machine.whole_files import write_text

FOLDER = Path(__file__).parent / "page"
MOST_CHARACTERS = 20_000


def write_pages(plan: Plan, folder: Path, names: Sequence[str] = ()) -> list[Path]:
    """Write a page for each annotator, or for those that are named, and return the files."""
    chosen = [annotator for annotator in plan.annotators if not names or annotator.name in names]
    paths = []
    for annotator in chosen:
        paths.append(folder / f"{annotator.name}.html")
        write_text(paths[-1], page_of(plan, annotator))
    return paths


def page_of(plan: Plan, annotator: PlannedAnnotator) -> str:
    """Return an annotator's page; its policy allows its own script and style, by hash, and nothing else."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
    )
    style, script = ((FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    return environment.get_template("page.html").render(
        annotator=annotator.name,
        release=f"{plan.release.name} {plan.release.version}",
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:;"
        " base-uri 'none'; form-action 'none'",
        # Both are files of ours; the data cannot end its element, since it has no angle brackets.
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        data=Markup(_json(_data(plan, annotator))),  # noqa: S704
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(value: Any) -> str:
    """Return JSON in ASCII that can end no element and begin no other."""
    text = json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":"))
    return "".join(f"\\u{ord(character):04x}" if character in "<>&" else character for character in text)


def _data(plan: Plan, annotator: PlannedAnnotator) -> dict[str, Any]:
    return {
        "plan": plan.sha256,
        "annotator": annotator.name,
        "min_qualification": plan.min_qualification,
        "tasks": list(_tasks(plan, annotator)),
    }


def _tasks(plan: Plan, annotator: PlannedAnnotator) -> Iterator[dict[str, Any]]:
    """Yield each task: instructions, then the texts in the annotator's order."""
    for task in plan.tasks:
        told = instructions_of(task)
        work = [plan.by_key[key] for key in annotator.work if plan.by_key[key].task == task.name]
        yield {
            "name": task.name,
            "shown": visible(task.name),
            "fields": [visible(field) for field in task.fields],
            "question": told.question,
            "labels": [
                {
                    "name": label,
                    "shown": visible(label.replace("_", " ")),
                    "meaning": visible(told.labels[label]),
                }
                for label in task.labels
            ],
            "rules": list(told.rules),
            "examples": [
                {**example.model_dump(), "label": example.label.replace("_", " ")}
                for example in told.examples
            ],
            "training": _with_answers(plan, task, "training"),
            "qualification": _with_answers(plan, task, "qualification"),
            "work": [_shown(text) for text in work],
        }


def _with_answers(plan: Plan, task: PlannedTask, part: str) -> list[dict[str, Any]]:
    texts = [text for text in plan.texts if text.task == task.name and text.part == part]
    # Swapped texts stand at the end of the plan; by their keys they are mixed.
    texts.sort(key=lambda text: text.key)
    return [{**_shown(text), "label": task.labels[text.label], "keeps": text.keeps} for text in texts]


def _shown(text: PlannedText) -> dict[str, str | None]:
    """Return what an annotator sees of a text: nothing says whether it is a case."""
    return {
        "key": text.key,
        "text": visible(text.text, MOST_CHARACTERS),
        "text_pair": _visible(text.text_pair),
        "original": _visible(text.original),
        "original_pair": _visible(text.original_pair),
    }


def _visible(text: str | None) -> str | None:
    return None if text is None else visible(text, MOST_CHARACTERS)
