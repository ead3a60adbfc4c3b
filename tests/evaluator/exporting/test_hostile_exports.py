"""Whatever labels, fields and texts hold, exported files show it and never obey it."""

import ast
import json
from pathlib import Path

import jinja2
import pytest
import yaml

from contract.release.release import Release
from evaluator.exporting.inspect import export_inspect
from evaluator.exporting.lm_eval import export_lm_eval
from evaluator.exporting.questions import fields_of, question_of

HOSTILE = [
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{% raw %}{{ 1 }}{% endraw %}{# gone #}{{ '{' }}",
    "{" * 5 + "}" * 5,
    "{%",
    "\"\"\"'''\\",
    "!!python/object/apply:os.system [id]",
    "!function evil.run",
    "&a *a {a: b} # no comment",
    "[link](javascript:alert(1)) <script>`|",
    "\u202eRTL\u200b",
]


def with_labels(release: Release, label: str) -> Release:
    """Return the release with a label and a field of this name."""
    (task,) = release.manifest.tasks
    changed = task.model_copy(update={"labels": (label, "b"), "fields": (label,)})
    return Release(
        path=release.path,
        manifest=release.manifest.model_copy(update={"tasks": (changed,)}),
        manifest_sha256=release.manifest_sha256,
    )


@pytest.mark.parametrize("label", HOSTILE)
def test_lm_eval_shows_the_label_as_it_is(label: str, tiny: Path, tmp_path: Path) -> None:
    """Rendered with the harness's own kind of environment, which does not protect anybody."""
    release = with_labels(Release.open(tiny), label)
    for path in export_lm_eval(release, tmp_path):
        yaml.safe_load(path.read_text(encoding="utf-8"))
    shared = yaml.safe_load((tmp_path / "_shared_mr_yaml").read_text(encoding="utf-8"))
    assert shared["doc_to_choice"] == [label, "b"]
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)  # noqa: S701
    text = "a {{ 7 * 7 }} text"
    shown = environment.from_string(shared["doc_to_text"]).render(text=text)
    task = release.manifest.tasks[0]
    ((name, _),) = fields_of(task)
    assert shown == f"{name}: {text}\n{question_of(task)}\nLabel:"


@pytest.mark.parametrize("label", HOSTILE)
def test_inspect_gets_the_label_as_data(label: str, tiny: Path, tmp_path: Path) -> None:
    """One sample a line, whatever ends lines elsewhere; the Python file holds no word of a label."""
    *splits, tasks = export_inspect(with_labels(Release.open(tiny), label), tmp_path)
    for path in splits:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert json.loads(line)["choices"] == [label, "b"]
    assert label not in tasks.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*HOSTILE, 'x"""\n__import__("os").system("id")\n"""'])
def test_names_in_the_python_file_are_quoted(name: str, tiny: Path, tmp_path: Path) -> None:
    """A manifest with such a name is refused; were it not, its name would still be a string."""
    release = Release.open(tiny)
    manifest = release.manifest.model_copy(update={"version": name, "splits": ()})
    *_, tasks = export_inspect(
        Release(path=tiny, manifest=manifest, manifest_sha256=release.manifest_sha256), tmp_path
    )
    parsed = ast.parse(tasks.read_text(encoding="utf-8"))
    values = {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value)
        for node in parsed.body
        if isinstance(node, ast.Assign)
    }
    assert values == {"RELEASE": f"{manifest.name} {name}", "SPLITS": []}
    kinds = {type(node) for node in parsed.body[1:]}
    assert kinds == {ast.ImportFrom, ast.Assign, ast.FunctionDef}
