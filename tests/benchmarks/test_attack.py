"""What the benchmark of attacks counts is what a panel would see."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
from click.testing import CliRunner

from benchmarks import harm
from benchmarks.attack import texts_shown


class FakeStore:
    """Has the texts of units by degree."""

    def cases(self, unit: Any, degree: float, columns: Sequence[str]) -> pa.Table:
        """Return the cases of a degree."""
        texts = unit.texts[degree]
        return pa.table({"text": texts, "text_pair": pa.nulls(len(texts), pa.string())}).select(list(columns))


def unit_of(dimension: str, texts: dict[float, Sequence[str]], *, is_attack: bool = True) -> Any:
    """Return a unit with its cases."""
    attack = object() if is_attack else None
    return SimpleNamespace(dimension=dimension, degrees=tuple(texts), texts=texts, attack=attack)


def test_a_text_is_shown_once_in_a_dimension_however_often_it_was_found() -> None:
    """By two sources, or at two degrees; random cases are not brought before the panel."""
    units = [
        unit_of("syntax", {0.1: ["a", "b"], 0.2: ["b", "c"]}),
        unit_of("syntax", {0.1: ["a"], 0.2: ["d"]}),
        unit_of("synonym", {0.1: ["a"]}),
        unit_of("synonym", {0.1: ["e", "f"]}, is_attack=False),
    ]
    store: Any = FakeStore()
    assert texts_shown(units, store) == {"syntax": 4, "synonym": 1}


def test_a_surrogate_of_the_recipe_is_not_unseen() -> None:
    """What the build asked says nothing of models that it did not know."""
    refused = CliRunner().invoke(harm.main, ["tiny", "--unseen", "word-tfidf"])
    assert refused.exit_code == 2
    assert "word-tfidf is a surrogate of the recipe" in refused.output
