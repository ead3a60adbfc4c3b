"""What the code knows stands in the documentation as the code knows it."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from builder.dimensions import DIMENSIONS
from docs.generate import EXAMPLES_PATH, ROOT
from docs.generators.examples import examples_of, overview

REMEDY = "run `make docs` and commit what it changes"


def test_generated_pages_and_schemas_are_current() -> None:
    """`make docs` would change nothing.

    In a process of its own, since commands remember the help option of the first call they see.
    """
    check = "from docs.generate import pages, stale; print(*stale(pages()), sep='\\n', end='')"
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "", f"stale: {done.stdout.splitlines()}; {REMEDY}"


def test_the_page_of_examples_has_every_dimension_in_order() -> None:
    """The overview is current, and nothing stands between the sections of the dimensions."""
    text = (ROOT / EXAMPLES_PATH).read_text(encoding="utf-8")
    assert text.startswith("\n".join(overview())), f"{EXAMPLES_PATH} is stale; {REMEDY}"
    sections = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert sections == list(DIMENSIONS), f"{EXAMPLES_PATH} is stale; {REMEDY}"


@pytest.mark.parametrize("name", DIMENSIONS)
def test_the_examples_of_a_dimension_are_current(name: str) -> None:
    """They are made anew, in this process, which other tests have made to load the models."""
    text = (ROOT / EXAMPLES_PATH).read_text(encoding="utf-8")
    section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0].rstrip("\n")
    now = "\n".join(examples_of(name)).partition(f"\n## {name}\n")[2]
    assert section == now, f"{EXAMPLES_PATH} is stale; {REMEDY}"


def test_every_key_of_a_recipe_says_what_it_means() -> None:
    """No cell of the generated tables is empty but where there is no default."""
    rows = (ROOT / "docs/recipe_keys.md").read_text(encoding="utf-8").splitlines()
    keys = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if row.startswith("| `")]
    assert len(keys) > 40
    assert [key for key, kind, _, meaning in keys if not (kind and meaning)] == []


def test_a_manifest_obeys_its_published_schema(tiny: Path) -> None:
    """The schema that others read describes the files that we write."""
    schema = json.loads((ROOT / "contract/schema/json_schemas/manifest.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads((tiny / "manifest.json").read_text(encoding="utf-8")), schema)
