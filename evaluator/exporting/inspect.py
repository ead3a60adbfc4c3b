"""A task for the UK AI Security Institute's Inspect: samples as JSON Lines, and the file that declares it."""

import json
from collections.abc import Iterator
from pathlib import Path

from contract.machine.errors import bad_input
from contract.machine.whole_files import write_text
from contract.release.release import Release
from contract.schema.manifest import SplitInfo, TaskInfo
from evaluator.exporting.questions import fields_of, files_of, question_of, splits_to_ask, task_name

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TASK_FILE = '''"""A benchmark for Inspect: `inspect eval hardfrost_tasks.py -T split=NAME`."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

RELEASE = {release}
SPLITS = {splits}


@task
def hardfrost(split: str = SPLITS[0]) -> Task:
    """One split of the benchmark."""
    path = Path(__file__).parent / f"{{split}}.jsonl"
    return Task(dataset=json_dataset(str(path)), solver=multiple_choice(), scorer=choice(), name=split)
'''


_COLUMNS = ("id", "text", "text_pair", "label", "sample_id")


def export_inspect(release: Release, out: Path) -> list[Path]:
    """Write the samples of every split and the Python file that Inspect runs."""
    written, names = [], []
    asked = splits_to_ask(release)
    release.prepare((file for split in asked for file in files_of(release, split)), _COLUMNS)
    for split in asked:
        name = task_name(release, split)
        names.append(name)
        path = out / f"{name}.jsonl"
        task = release.manifest.task(split.task)
        if len(task.labels) > len(LETTERS):
            raise bad_input(f"task {task.name}: Inspect's multiple choice has {len(LETTERS)} letters at most")
        samples = (sample for file in files_of(release, split) for sample in _samples(release, file, task))
        write_text(path, "".join(samples))
        written.append(path)
    # Whatever stands in a name, code holds it as a quoted string and as nothing else.
    listed = "".join(f"    {name!a},\n" for name in names)
    title = f"{release.manifest.name} {release.manifest.version}"
    text = TASK_FILE.format(release=ascii(title), splits=f"[\n{listed}]")
    write_text(out / "hardfrost_tasks.py", text)
    return [*written, out / "hardfrost_tasks.py"]


def _samples(release: Release, split: SplitInfo, task: TaskInfo) -> Iterator[str]:
    columns = list(fields_of(task))
    for row in release.table(split, _COLUMNS).to_pylist():
        texts = "\n".join(f"{name}: {row[column]}" for name, column in columns)
        sample = {
            "id": row["id"],
            "input": f"{texts}\n{question_of(task)}",
            "choices": list(task.labels),
            "target": LETTERS[row["label"]],
            "metadata": {"sample_id": row["sample_id"]},
        }
        # Some readers end a line at other characters than the line feed: JSON escapes all of them.
        yield json.dumps(sample) + "\n"
