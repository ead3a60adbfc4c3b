"""Columns in which few texts stand many times: read as those texts and the place of each row's among them."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

NOWHERE = -1


def places_among(texts: pa.Array, column: pa.ChunkedArray) -> NDArray[np.int32]:
    """Return the place of each row's text among some texts, NOWHERE where it is none of them."""
    chunks = _chunks(column)
    if not chunks:
        return np.empty(0, np.int32)
    # Those of all chunks are looked up together: each time the texts are put into a table anew.
    different = pa.chunked_array([chunk.dictionary for chunk in chunks])
    found = pc.fill_null(pc.index_in(different, value_set=texts), NOWHERE).to_numpy()
    return np.concatenate(
        [
            _places(chunk.indices, of_chunk)
            for chunk, of_chunk in zip(chunks, _parted(found, chunks), strict=True)
        ]
    )


def places_by_name(column: pa.ChunkedArray, places: Mapping[str, int]) -> NDArray[np.int32]:
    """Return the place of each row's text, NOWHERE where it has none; for few texts, so fast for few rows."""
    parts = [np.empty(0, np.int32)]
    for chunk in _chunks(column):
        found = [places.get(text, NOWHERE) for text in chunk.dictionary.to_pylist()]
        parts.append(_places(chunk.indices, np.array(found, np.int32)))
    return np.concatenate(parts)


def different_texts(column: pa.ChunkedArray) -> pa.Array:
    """Return the texts of a column, each once, in the order in which they first stand there."""
    return pc.unique(column.cast(column.type.value_type) if _is_read_once(column) else column)


def _is_read_once(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_dictionary(column.type))


def _chunks(column: pa.ChunkedArray) -> list[pa.DictionaryArray]:
    return list((column if _is_read_once(column) else column.dictionary_encode()).chunks)


def _parted(found: NDArray[np.int32], chunks: list[pa.DictionaryArray]) -> list[NDArray[np.int32]]:
    return np.split(found, np.cumsum([len(chunk.dictionary) for chunk in chunks])[:-1])


def _places(indices: pa.Array, found: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return for each row what was found of its text."""
    if not indices.null_count:
        return np.asarray(found.take(indices.to_numpy()), np.int32)
    # Rows without a text point beyond the texts.
    with_none = np.append(found, np.int32(NOWHERE))
    return np.asarray(with_none.take(pc.fill_null(indices, len(found)).to_numpy()), np.int32)
