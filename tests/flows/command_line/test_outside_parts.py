"""Parts of other packages are listed, built, scored, hashed and checked without an edit of ours."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import hardfrost
from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from contract.machine import outside
from contract.machine.errors import UserError
from contract.machine.registry import Registry
from flows.part_checks.check import outcomes
from flows.part_checks.dimensions import CHECKS
from flows.part_checks.filters import CHECKS as OF_FILTERS

ROOT = Path(hardfrost.__file__).parent
EXAMPLE = ROOT / "examples" / "my_dimension"
RECIPE = """
name: shouted
version: "1"
tasks:
  - {name: mr, source: mr, samples: 24, train_rows: 200}
dimensions:
  - {name: NAME, degrees: [0.1, 0.3]}
  - {name: typo-general, degrees: [0.1]}
cases: {rule: 1}
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("PART = (", "SyntaxError"),
        ("PART = 1 / 0", "ZeroDivisionError: division by zero (broken_part.py:1)"),
        ("import not_there_at_all", "not_there_at_all"),
    ],
)
def test_a_part_that_cannot_be_imported_is_told_in_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    """What it raised, and where; no traceback."""
    (tmp_path / "broken_part.py").write_text(f"{text}\n", encoding="utf-8")
    done = call(None, "check-part", "python:broken_part:PART", cwd=tmp_path)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder into which the example package is installed: its modules and its .dist-info."""
    folder = tmp_path / "site"
    shutil.copytree(EXAMPLE / "shouting", folder / "shouting")
    about = folder / "shouting-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.2\n", encoding="utf-8")
    points = "[hardfrost.dimensions]\nshout = shouting.shout:SHOUT\n"
    (about / "entry_points.txt").write_text(points, encoding="utf-8")
    return folder


def call(site: Path | None, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, with what is installed in a folder."""
    paths = [str(ROOT), *([] if site is None else [str(site)])]
    return subprocess.run(
        [sys.executable, "-m", "hardfrost", *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])


def test_a_dimension_of_an_installed_package_is_listed_built_and_scored(site: Path, tmp_path: Path) -> None:
    """By its entry point, in several processes, from the recipe to the result."""
    listed = json.loads(call(site, "list", "dimensions", "--json", cwd=tmp_path).stdout)
    assert listed[-1]["name"] == "shout"
    assert listed[-1]["origin"] == "shouting 1.2"
    (tmp_path / "recipe.yaml").write_text(RECIPE.replace("NAME", "shout"), encoding="utf-8")
    built = call(site, "build", "recipe.yaml", "-o", "release", "--workers", "2", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    # Whoever scores needs neither the package nor its code.
    release = hardfrost.load(tmp_path / "release")
    assert release.dimensions == ("shout", "typo-general")
    frame = release.to_pandas()
    shouted = frame[frame["dimension"] == "shout"]
    assert len(shouted)
    assert all(any(word.isupper() and len(word) > 1 for word in text.split()) for text in shouted["text"])
    origin = release.manifest.libraries["dimension shout"]
    assert origin.startswith("shouting 1.2, python:shouting.shout:SHOUT sha256:")
    score = hardfrost.score(release, hardfrost.predict(release, "vader"), resamples=0)
    assert score.result.tasks["mr"].dimensions["shout"]["rule"].average is not None


def test_new_code_of_the_package_makes_new_rows_and_another_hash(site: Path, tmp_path: Path) -> None:
    """A recipe may name a part by its place; finished units of the old code are not used again."""
    (tmp_path / "recipe.yaml").write_text(
        RECIPE.replace("NAME", "python:shouting.shout:SHOUT"), encoding="utf-8"
    )
    shutil.copytree(site / "shouting", tmp_path / "shouting")
    refused = call(None, "build", "recipe.yaml", "-o", "first", cwd=tmp_path)
    assert refused.returncode == 2
    assert "dimension python:shouting.shout:SHOUT runs code of its own; give --trust" in refused.stderr
    assert not list((tmp_path / "shouting").glob("__pycache__"))
    first = call(None, "build", "recipe.yaml", "-o", "first", "--trust", "--workers", "2", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    code = tmp_path / "shouting" / "shout.py"
    code.write_text(code.read_text(encoding="utf-8").replace(".upper()", ".title()"), encoding="utf-8")
    shutil.rmtree(tmp_path / "shouting" / "__pycache__", ignore_errors=True)
    second = call(None, "build", "recipe.yaml", "-o", "second", "--trust", cwd=tmp_path)
    assert second.returncode == 0, second.stderr
    one, other = (hardfrost.load(tmp_path / name) for name in ("first", "second"))
    assert one.manifest.libraries["dimension shout"] != other.manifest.libraries["dimension shout"]
    texts = [set(release.to_pandas()["text"]) for release in (one, other)]
    assert texts[0] != texts[1]


def test_check_part_tells_a_good_part_from_a_bad_one(site: Path, tmp_path: Path) -> None:
    """By name or place; whatever is broken is said, with exit code 4."""
    good = call(site, "check-part", "dimension:shout", cwd=tmp_path)
    assert good.returncode == 0, good.stdout + good.stderr
    assert "dimension shout: 8 of 8 promises kept" in good.stderr
    code = (site / "shouting" / "shout.py").read_text(encoding="utf-8")
    spoilt = code.replace("cost=Levenshtein.distance(word, loud)", "cost=1")
    assert spoilt != code
    (tmp_path / "spoilt.py").write_text(spoilt, encoding="utf-8")
    bad = call(None, "check-part", "python:spoilt:SHOUT", "--json", cwd=tmp_path)
    assert bad.returncode == 4, bad.stderr
    checks = json.loads(bad.stdout)["checks"]
    assert "but its cost is 1" in checks[0]["problem"]
    nothing = call(None, "check-part", "python:spoilt:operations_of", cwd=tmp_path)
    assert nothing.returncode == 2
    assert "is a function, expected one of: dimension, filter, metric, classifier" in nothing.stderr
    unknown = call(None, "check-part", "typo-generl", cwd=tmp_path)
    assert "did you mean 'typo-general'?" in unknown.stderr


@pytest.mark.parametrize("name", ["typo-general", "glyph-malicious", "inflection"])
def test_dimensions_of_ours_keep_all_promises(name: str) -> None:
    """The checks ask nothing that good parts do not do."""
    assert [each for each in outcomes(CHECKS, DIMENSIONS[name]) if each.problem] == []


@pytest.mark.parametrize("name", ["degree", "legibility", "label-words", "negation"])
def test_filters_of_ours_keep_all_promises(name: str) -> None:
    """Those that need no encoder."""
    assert [each for each in outcomes(OF_FILTERS, FILTERS[name]) if each.problem] == []


@pytest.mark.parametrize("spec", ["metric:accuracy-cases", "classifier:vader"])
def test_metrics_and_classifiers_of_ours_keep_all_promises(spec: str) -> None:
    """By the command."""
    done = run("check-part", spec)
    assert done.exit_code == 0, done.output


def test_a_name_that_two_parts_have_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And so is an entry point that leads to something else."""
    code = """
        class Thing:
            def __init__(self, name):
                self.name = name

        OTHER = Thing("other")
        SAME = Thing("same")
    """
    (tmp_path / "things_of_others.py").write_text(textwrap.dedent(code), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv(outside.VARIABLE, raising=False)
    import things_of_others as things

    registry: Registry[things.Thing] = Registry("thing", [things.Thing("same")])
    assert registry.include("things_of_others:OTHER") is things.OTHER
    assert list(registry) == ["same", "other"]
    origin = registry.origin("other")
    assert origin is not None
    assert origin.place == "things_of_others:OTHER"
    assert registry.origin("same") is None
    with pytest.raises(UserError, match="there is another thing 'same'"):
        registry.include("things_of_others:SAME")
    with pytest.raises(UserError, match="is a type, expected a thing"):
        registry.include("things_of_others:Thing")
    with pytest.raises(UserError, match="has no 'NOTHING'"):
        registry.include("things_of_others:NOTHING")
    with pytest.raises(UserError, match="no module 'nobodys'"):
        registry.include("nobodys:THING")
    monkeypatch.delenv(outside.VARIABLE)
