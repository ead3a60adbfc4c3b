"""What the code knows stands in the documentation as the code knows it."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema

from docs.generate import ROOT


def test_generated_pages_and_schemas_are_current() -> None:
    """`make docs` would change nothing.

    In a process of its own, since commands remember the help option of the first call they see.
    """
    check = (
        "from docs.generate import ROOT, pages\n"
        "rows = [(str(one), (ROOT / one).read_text(encoding='utf-8'), new) for one, new in pages().items()]\n"
        "print([path for path, before, now in rows if before != now])"
    )
    stale = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert stale.stdout == "[]\n"


def test_a_manifest_obeys_its_published_schema(tiny: Path) -> None:
    """The schema that others read describes the files that we write."""
    schema = json.loads((ROOT / "contract/schema/json_schemas/manifest.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads((tiny / "manifest.json").read_text(encoding="utf-8")), schema)
