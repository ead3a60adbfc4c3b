"""Documents are checked on reading and on writing."""

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from contract.machine.errors import ExitCode, UserError
from contract.schema.manifest import Manifest
from contract.schema.results import Aggregate, Pair, Result


@pytest.fixture
def manifest(tiny: Path) -> dict[str, object]:
    """Return a real manifest as JSON."""
    loaded: dict[str, object] = json.loads((tiny / "manifest.json").read_text(encoding="utf-8"))
    return loaded


def test_a_manifest_survives_reading_and_writing(tiny: Path, tmp_path: Path) -> None:
    """Byte for byte."""
    Manifest.read(tiny / "manifest.json").write(tmp_path / "copy.json")
    assert (tmp_path / "copy.json").read_bytes() == (tiny / "manifest.json").read_bytes()


def test_keys_that_a_later_version_added_are_ignored(manifest: dict[str, object]) -> None:
    """Readers of the same major version go on."""
    assert Manifest.parse({**manifest, "colour": "blue"}, "m").name == "mr-tiny"


def test_a_field_that_does_not_exist_is_refused_in_code() -> None:
    """By the constructor, so that no figure is lost without a word; by its name or its alias it is known."""
    with pytest.raises(TypeError, match="Aggregate has no field low, mean"):
        Aggregate(ewma=0.5, mean=0.5, low=0.4)  # type: ignore[call-arg]
    assert Aggregate.model_validate({"ewma": 0.5, "mean": 0.5}) == Aggregate(ewma=0.5)
    assert Pair.model_validate({"average": {"ewma": 1, "new": 1}, "worst": {"ewma": 0}}).average.ewma == 1
    for name in ("schema", "schema_"):
        with pytest.raises(ValidationError, match="Input should be 'hardfrost/result/2'"):
            Result(**{name: "hardfrost/result/1"})


def test_another_schema_is_refused_by_name(manifest: dict[str, object]) -> None:
    """A result is not a manifest; an earlier version is told what to do, a later one that it is later."""
    with pytest.raises(UserError, match="schema is 'hardfrost/manifest/3', expected 'hardfrost/manifest/2'"):
        Manifest.parse({**manifest, "schema": "hardfrost/manifest/3"}, "m")
    with pytest.raises(UserError, match=r"manifest/1.* build the release"):
        Manifest.parse({**manifest, "schema": "hardfrost/manifest/1"}, "m")


def test_every_fault_is_named_by_its_key(manifest: dict[str, object]) -> None:
    """All of them together."""
    manifest["seed"] = "one"
    manifest["splits"] = [{**split, "rows": -1} for split in manifest["splits"]]  # type: ignore[attr-defined]
    with pytest.raises(UserError) as caught:
        Manifest.parse(manifest, "manifest.json")
    assert "manifest.json: seed: " in caught.value.message
    assert "manifest.json: splits[0].rows: " in caught.value.message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "not JSON"),
        (b"\xff", "cannot be read"),
        (b'{"seed": NaN}', "NaN is not a number"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"recipe": ' + b"[" * 300 + b"]" * 300 + b"}", "nested too deeply"),
        (None, "no such file"),
    ],
)
def test_what_is_no_json_is_refused_with_its_path(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    """Cut, binary and missing files."""
    path = tmp_path / "manifest.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=message) as caught:
        Manifest.read(path)
    assert str(path) in caught.value.message
    assert caught.value.exit_code is ExitCode.BAD_INPUT
