"""The hash of code changes with the code that it is about, and with no other."""

import subprocess
import sys
from pathlib import Path

import pytest

from contract.machine import code
from contract.machine.code import _imported, _path_of, hash_of_all_code, hash_of_code


def test_the_code_of_a_part_is_its_module_and_what_that_imports() -> None:
    """Look-alikes do not depend on slips, and both depend on what an operation is."""
    typo, glyph = "builder.dimensions.typo", "builder.dimensions.glyph"
    assert hash_of_code([typo]) == hash_of_code([typo, "builder.operations.letters"])
    assert hash_of_code([typo]) != hash_of_code([glyph])
    path = _path_of(typo)
    assert path is not None
    assert "builder.operations.dimension" in _imported(path)
    assert not any(name.startswith("click") for name in _imported(path))


def test_how_rows_are_named_and_laid_out_is_watched() -> None:
    """A case carries its id and its columns."""
    search = "builder.searches.machinery.records"
    assert hash_of_code([search]) != hash_of_code([search], ("builder.", "contract.schema.edits"))
    assert {"contract.schema.names", "contract.schema.records"} <= set(
        _imported(code.ROOT / "builder/searches/machinery/records.py")
    )


def test_libraries_that_compute_count_by_their_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that the code imports, at the top or when used; one that is not there has no version."""
    edit = "builder.measures.edit"
    before, other = hash_of_code([edit]), hash_of_code(["builder.values.randomness"])
    monkeypatch.setattr(code, "installed_version", lambda name: f"new {name}")
    assert hash_of_code([edit]) != before
    assert hash_of_code(["builder.values.randomness"]) == other
    monkeypatch.undo()
    assert code.installed_version("no-such-library") is None
    assert code.installed_version("rapidfuzz")


def test_names_that_are_no_modules_are_passed_over() -> None:
    """`from package import function` names a function, not a file."""
    assert _path_of("builder.dimensions.typo.propose") is None
    assert _path_of("builder.nothing") is None
    assert _path_of("json") is None


def test_all_code_is_hashed_as_it_was_when_first_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a process has imported does not change with its file; a new process sees the change."""
    (tmp_path / "builder").mkdir()
    (tmp_path / "builder/part.py").write_text("one = 1\n", encoding="utf-8")
    monkeypatch.setattr(code, "ROOT", tmp_path)
    hash_of_all_code.cache_clear()
    before = hash_of_all_code()
    (tmp_path / "builder/part.py").write_text("one = 2\n", encoding="utf-8")
    assert hash_of_all_code() == before
    hash_of_all_code.cache_clear()
    assert hash_of_all_code() != before
    hash_of_all_code.cache_clear()


def test_nothing_is_imported_to_find_code() -> None:
    """A build plans without the libraries that its workers need."""
    script = (
        "import sys; from contract.machine.code import ANSWERS, hash_of_code;"
        "hash_of_code(['classifiers.trained.minilm', 'builder.dimensions.contextual'], ANSWERS);"
        "hash_of_code(['builder.dimensions.contextual']); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_module_is_parsed_once_for_all_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads it next finds the same; other bytes are parsed anew, and nothing needs the cache."""
    monkeypatch.setenv("HARDFROST_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "part.py"
    path.write_text("import json\n\none = json\n", encoding="utf-8")
    parsed: list[bytes] = []
    parse = code._parsed

    def counted(content: bytes) -> code._Module:
        parsed.append(content)
        return parse(content)

    monkeypatch.setattr(code, "_parsed", counted)
    module = code._module.__wrapped__(path)
    assert module.imported == ("json",)
    assert code._module.__wrapped__(path) == module
    assert len(parsed) == 1
    path.write_text("import json\n\none = 2\n", encoding="utf-8")
    assert code._module.__wrapped__(path).sha256 != module.sha256
    (tmp_path / "cache/code/modules.sqlite").write_bytes(b"spoilt")
    path.write_text("import json\n\none = json\n", encoding="utf-8")
    assert code._module.__wrapped__(path) == module
    assert len(parsed) == 3
