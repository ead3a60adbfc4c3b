"""The index of ids: exact, whatever the hashes, and whatever pieces the ids come in."""

from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.predictions import id_index
from contract.predictions.id_index import IdIndex, JoinedTexts, hashes_of

TEXTS = st.lists(st.text(max_size=30), unique=True, min_size=1)


@settings(deadline=None)
@given(TEXTS, st.lists(st.text(max_size=30)), st.randoms())
def test_every_id_is_found_where_it_stands_and_no_other(
    known: list[str], others: list[str], order: Random
) -> None:
    """In any order, beside strangers."""
    sought = [*known, *others]
    order.shuffle(sought)
    found = IdIndex(pa.chunked_array([known[:2], known[2:]], pa.string())).places_of(
        pa.array(sought, pa.string())
    )
    assert found.tolist() == [known.index(text) if text in known else -1 for text in sought]


def test_ids_of_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hash is a hint only."""
    monkeypatch.setattr(id_index, "hashes_of", lambda texts: np.full(len(texts), 7, np.uint64))
    index = IdIndex(pa.chunked_array([["a", "b", "c"]]))
    assert index.places_of(pa.array(["c", "x", "a", "b"])).tolist() == [2, -1, 0, 1]


@pytest.mark.parametrize("is_even", [True, False])
def test_many_ids_are_found_by_parts_however_their_hashes_lie(
    monkeypatch: pytest.MonkeyPatch, *, is_even: bool
) -> None:
    """Also where all of them share their first bits, so that one bucket holds them."""
    known = [f"id-{place}" for place in range(20_000)]
    if not is_even:
        monkeypatch.setattr(id_index, "hashes_of", lambda texts: hashes_of(texts) >> np.uint64(16))
    order = np.random.default_rng(0).permutation(len(known))
    found = IdIndex(pa.chunked_array([known])).places_of(pa.array(known).take(pa.array(order)))
    assert found.tolist() == order.tolist()


def test_hashes_depend_on_the_text_alone() -> None:
    """Not on the piece it is cut from."""
    texts = pa.array(["", "a", "abcdefgh", "abcdefghi", "x" * 5_000])
    whole = hashes_of(texts)
    assert len(set(whole.tolist())) == len(texts)
    for place in range(len(texts)):
        assert hashes_of(texts.slice(place, 1)).tolist() == [whole[place]]


def test_texts_are_joined_across_the_limit_of_an_array(monkeypatch: pytest.MonkeyPatch) -> None:
    """In as many arrays as needed, in order."""
    monkeypatch.setattr(id_index, "_MOST_BYTES_AN_ARRAY", 10)
    joined = JoinedTexts()
    for part in (["abc", "é"], [], ["0123456789"], ["", "z"]):
        joined.add(pa.chunked_array([pa.array(part, pa.string())]))
    column = joined.column()
    assert column.to_pylist() == ["abc", "é", "0123456789", "", "z"]
    assert column.num_chunks == 3
