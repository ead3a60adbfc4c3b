"""The hash of code changes with the code that it is about, and with no other."""

import subprocess
import sys

from contract.code import _imported, _path_of, hash_of_code


def test_the_code_of_a_part_is_its_module_and_what_that_imports() -> None:
    """Look-alikes do not depend on slips, and both depend on what an operation is."""
    typo, glyph = "builder.dimensions.typo", "builder.dimensions.glyph"
    assert hash_of_code([typo]) == hash_of_code([typo, "builder.dimensions.letters"])
    assert hash_of_code([typo]) != hash_of_code([glyph])
    path = _path_of(typo)
    assert path is not None
    assert "builder.dimensions.dimension" in _imported(path)
    assert not any(name.startswith("click") for name in _imported(path))


def test_names_that_are_no_modules_are_passed_over() -> None:
    """`from package import function` names a function, not a file."""
    assert _path_of("builder.dimensions.typo.propose") is None
    assert _path_of("builder.nothing") is None
    assert _path_of("json") is None


def test_nothing_is_imported_to_find_code() -> None:
    """A build plans without the libraries that its workers need."""
    code = (
        "import sys; from contract.code import ANSWERS, hash_of_code;"
        "hash_of_code(['classifiers.minilm', 'builder.dimensions.contextual'], ANSWERS);"
        "hash_of_code(['builder.dimensions.contextual']); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
