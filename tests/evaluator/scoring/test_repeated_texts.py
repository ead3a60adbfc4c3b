"""Texts that repeat are looked up once, wherever they stand."""

import pyarrow as pa
import pytest

from evaluator.scoring.repeated_texts import NOWHERE, different_texts, places_among, places_by_name

PLAIN = pa.chunked_array([["b", "a", None, "b"], ["x", "a"]])


@pytest.mark.parametrize("column", [PLAIN, PLAIN.dictionary_encode()], ids=["plain", "read once"])
def test_each_row_gets_the_place_of_its_text(column: pa.ChunkedArray) -> None:
    """A text that is not among those sought, and no text at all, are nowhere."""
    expected = [1, 0, NOWHERE, 1, NOWHERE, 0]
    assert places_among(pa.array(["a", "b"]), column).tolist() == expected
    assert places_by_name(column, {"a": 0, "b": 1}).tolist() == expected


def test_chunks_with_texts_of_their_own_are_told_apart() -> None:
    """The same index means another text in another chunk."""
    chunks = [pa.array(texts, pa.string()).dictionary_encode() for texts in (["a", "b"], ["b", "a"], [])]
    column = pa.chunked_array(chunks, chunks[0].type)
    assert places_among(pa.array(["a", "b"]), column).tolist() == [0, 1, 1, 0]
    assert different_texts(column).to_pylist() == ["a", "b"]


def test_no_rows_have_no_places() -> None:
    """A task that was left out whole has none."""
    nothing = PLAIN[:0]
    assert places_among(pa.array(["a"]), nothing).tolist() == []
    assert different_texts(nothing).to_pylist() == []
