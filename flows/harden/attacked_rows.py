"""Training rows under attack: each row once under each attack, at a level that is drawn for it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from builder.augmenting.perturbing import LabelledText, perturb_texts
from builder.values.associations import learn
from builder.values.randomness import Draw
from builder.values.samples import Sample, letters_and_digits
from contract.machine.whole_files import write_text
from contract.release.release import Release
from contract.schema.manifest import TaskInfo, TextField
from contract.schema.names import TRAIN
from contract.schema.records import records_of
from flows.harden.defences import Defence

# One row of a file of attacked rows: the text of each training row, null where it carries no case.
AttackedTexts = list[str | None]


def training_rows(release: Release, task: str, most_rows: int | None) -> list[Sample]:
    """Return the rows that the release offers for training; no sample of the benchmark is among them."""
    rows = [
        Sample(id=row.id, text=row.text, text_pair=row.text_pair, label=row.label)
        for split in release.splits(task=task, dimension=TRAIN)
        for row in records_of(release.table(split))
    ]
    if most_rows is None or most_rows >= len(rows):
        return rows
    chosen = Draw("harden", task).sample(range(len(rows)), most_rows)
    return [rows[place] for place in sorted(chosen)]


@dataclass(frozen=True, kw_only=True)
class Attacking:
    """How training rows are attacked."""

    task: TaskInfo
    # Levels, drawn equally often.
    degrees: tuple[float, ...]
    seed: int
    # Letters and digits of what the benchmark holds: nothing of it may come out.
    taken: frozenset[str]


def write_attacked(path: Path, rows: Sequence[Sample], attack: str, how: Attacking) -> None:
    """Write what an attack makes of each row at the level that is drawn for it."""
    field = how.task.perturbed
    levels = [Draw(how.seed, "level", attack, row.field(field)).choice(how.degrees) for row in rows]
    associations = learn(rows, len(how.task.labels))
    attacked: AttackedTexts = [None] * len(rows)
    for degree in how.degrees:
        places = [place for place, level in enumerate(levels) if level == degree]
        given = [LabelledText(text=rows[place].field(field), label=rows[place].label) for place in places]
        cases = perturb_texts(given, attack, degree, how.seed, associations=associations)
        for place, case in zip(places, cases, strict=True):
            if case is not None:
                row = _with_field(rows[place], field, case.text)
                is_taken = letters_and_digits(row.text, row.text_pair) in how.taken
                attacked[place] = None if is_taken else case.text
    write_text(path, json.dumps(attacked, ensure_ascii=False))


def with_attacked(rows: Sequence[Sample], defence: Defence, folder: Path, how: Attacking) -> list[Sample]:
    """Return the rows and, for each that carries one, a row more under one of the defence's attacks."""
    attacked: dict[str, AttackedTexts] = {
        attack: json.loads(attacked_path(folder, attack).read_text(encoding="utf-8"))
        for attack in defence.trained_on
    }
    more = []
    for place, row in enumerate(rows):
        order = Draw(how.seed, "attack", row.text).sample(defence.trained_on, len(defence.trained_on))
        texts = [attacked[attack][place] for attack in order]
        text = next((text for text in texts if text is not None), None)
        if text is not None:
            more.append(_with_field(row, how.task.perturbed, text))
    return [*rows, *more]


def attacked_path(folder: Path, attack: str) -> Path:
    """Return the file of the rows under an attack."""
    return folder / "rows" / f"{attack}.json"


def _with_field(row: Sample, field: TextField, text: str) -> Sample:
    return replace(row, text_pair=text) if field == "text_pair" else replace(row, text=text)
