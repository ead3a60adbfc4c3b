"""What the code knows stands in the documentation as the code knows it."""

import json
from pathlib import Path

import jsonschema

from docs.generate import ROOT, pages


def test_generated_pages_and_schemas_are_current() -> None:
    """`make docs` would change nothing."""
    stale = [path for path, text in pages().items() if (ROOT / path).read_text(encoding="utf-8") != text]
    assert stale == []


def test_a_manifest_obeys_its_published_schema(tiny: Path) -> None:
    """The schema that others read describes the files that we write."""
    schema = json.loads((ROOT / "contract/schemas/manifest.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads((tiny / "manifest.json").read_text(encoding="utf-8")), schema)
