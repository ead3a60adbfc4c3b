"""The code that a surrogate's answers depend on: all that answers, and no other kind."""

from collections.abc import Iterable, Iterator

import pytest

from builder.surrogates import surrogate_ref
from classifiers import KINDS, TRAINABLE_KINDS
from contract.machine import code


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Yield the names of the modules whose source goes into the hash of the last kind."""
    names: set[str] = set()

    def collect(modules: Iterable[str], watched: tuple[str, ...], *, alone: Iterable[str] = ()) -> str:
        names.clear()
        waiting = list(modules)
        while waiting:
            name = waiting.pop()
            path = code._path_of(name)
            if path is not None and name not in names:
                names.add(name)
                waiting += [imported for imported in code._imported(path) if imported.startswith(watched)]
        names.update(alone)
        return ""

    monkeypatch.setattr(surrogate_ref, "hash_of_code", collect)
    surrogate_ref.answering_code.cache_clear()
    yield names
    surrogate_ref.answering_code.cache_clear()


KINDS_OF_SURROGATES = [
    *TRAINABLE_KINDS,
    *(name for name, kind in KINDS.items() if kind.content is not None),
]


@pytest.mark.parametrize("kind", KINDS_OF_SURROGATES)
def test_a_kind_depends_on_its_own_file_and_on_no_other_kind(kind: str, hashed: set[str]) -> None:
    """Else a change in one kind would throw away the work of all."""
    surrogate_ref.answering_code(kind)
    loader = TRAINABLE_KINDS[kind] if kind in TRAINABLE_KINDS else KINDS[kind]
    rooms = ("classifiers.kinds", "classifiers.trained", "classifiers.registry")
    assert {name for name in hashed if name.startswith(rooms)} == {loader.load.__module__}
    assert "classifiers.machinery.inference" in hashed


def test_an_ensemble_depends_on_every_kind_that_can_be_its_member(hashed: set[str]) -> None:
    """Its own kind does not say which members it has."""
    surrogate_ref.answering_code("ensemble")
    for name in KINDS_OF_SURROGATES:
        assert (TRAINABLE_KINDS if name in TRAINABLE_KINDS else KINDS)[name].load.__module__ in hashed
    assert "classifiers.machinery.ensemble" in hashed
