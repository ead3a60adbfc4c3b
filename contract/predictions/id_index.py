"""Finds the rows of ids in a release: an index of a few bytes an id, made once, searched chunk by chunk."""

from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_WORD = 8
# Intermediate results of so many ids fit into the processor's cache.
_IDS_AT_A_TIME = 1 << 13
# An id of a release has at most a thousand characters; longer ones of a file cannot match.
_MOST_BYTES_HASHED = 4_000
# Offsets of texts are signed and have 32 bits.
_MOST_BYTES_AN_ARRAY = 1 << 30
_FACTOR = 0x9E3779B97F4A7C15
_HALF, _SHIFT = np.uint64(32), np.uint64(29)
# Keeps the first bytes of a word, little end first.
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(_WORD + 1)], np.uint64)


class IdIndex:
    """The places of a release's ids, found by hash and then compared in full."""

    def __init__(self, ids: pa.ChunkedArray) -> None:
        self._ids = ids
        n_bits = len(ids).bit_length()
        self._place_bits = np.uint64((1 << n_bits) - 1)
        # As many buckets as ids or a few more, so that most have one id or none.
        self._n_buckets = 1 << n_bits
        self._bucket_shift = np.uint64(64 - n_bits)
        self._next = 0

    def places_of(self, ids: pa.Array) -> NDArray[np.int64]:
        """Return the place of each id, -1 where there is none; files in the release's order need no index."""
        expected = self._ids.slice(self._next, len(ids))
        if pa.chunked_array([ids]).equals(expected):
            self._next += len(ids)
            return np.arange(self._next - len(ids), self._next)
        parts = [ids.slice(start, _IDS_AT_A_TIME) for start in range(0, len(ids), _IDS_AT_A_TIME)]
        return np.concatenate([np.zeros(0, np.int64), *map(self._looked_up, parts)])

    @cached_property
    def _keys(self) -> NDArray[np.uint64]:
        """The first bits of each id's hash, then its place: in order, and no larger than the hashes."""
        keys = np.empty(len(self._ids), np.uint64)
        for start in range(0, len(keys), _IDS_AT_A_TIME):
            part = self._ids.slice(start, _IDS_AT_A_TIME)
            hashes = np.concatenate([hashes_of(chunk) for chunk in part.chunks])
            places = np.arange(start, start + len(part), dtype=np.uint64)
            keys[start : start + len(part)] = (hashes & ~self._place_bits) | places
        keys.sort()
        return keys

    @cached_property
    def _bounds(self) -> NDArray[np.int32]:
        """Where the keys of each bucket begin and, last, where all end; a bucket has the same first bits."""
        bounds = np.zeros(self._n_buckets + 1, np.int32)
        for start in range(0, len(self._keys), _IDS_AT_A_TIME):
            buckets = (self._keys[start : start + _IDS_AT_A_TIME] >> self._bucket_shift).astype(np.int64)
            n_of_bucket = np.bincount(buckets - buckets[0])
            bounds[buckets[0] + 1 : buckets[-1] + 2] += n_of_bucket.astype(np.int32)
        np.cumsum(bounds, out=bounds)
        return bounds

    def _looked_up(self, ids: pa.Array) -> NDArray[np.int64]:
        sought = hashes_of(ids) & ~self._place_bits
        slots = self._first_slots(sought)
        places = np.full(len(ids), -1)
        rows = np.arange(len(ids))
        while len(rows):
            rows = rows[slots[rows] < len(self._keys)]
            rows = rows[self._keys[slots[rows]] & ~self._place_bits == sought[rows]]
            found = (self._keys[slots[rows]] & self._place_bits).astype(np.int64)
            is_same = _are_equal(self._ids, found, ids, rows)
            places[rows[is_same]] = found[is_same]
            # Another id may have the same hash; it stands next.
            rows = rows[~is_same]
            slots[rows] += 1
        return places

    def _first_slots(self, sought: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return where each hash stands among the keys or would stand: a search of its bucket alone."""
        buckets = (sought >> self._bucket_shift).astype(np.int64)
        slots, ends = (self._bounds.take(buckets + more).astype(np.int64) for more in (0, 1))
        rows = np.flatnonzero(slots < ends)
        while len(rows):
            first, last = slots[rows], ends[rows]
            middle = (first + last) // 2
            is_before = self._keys.take(middle) < sought[rows]
            slots[rows] = first = np.where(is_before, middle + 1, first)
            ends[rows] = last = np.where(is_before, last, middle)
            rows = rows[first < last]
        return slots


def _are_equal(
    left: pa.ChunkedArray, at_left: NDArray[np.int64], right: pa.Array, at_right: NDArray[np.int64]
) -> NDArray[np.bool_]:
    # Nearly always all of them are asked for, in their order.
    sought = right if len(at_right) == len(right) else right.take(pa.array(at_right))
    return np.asarray(pc.equal(left.take(pa.array(at_left)), sought).to_numpy(), np.bool_)


def hashes_of(texts: pa.Array) -> NDArray[np.uint64]:
    """Return a hash of each text, eight bytes of all texts at a time."""
    bounds, codes = _bounds_and_codes(texts)
    padded = np.concatenate([codes, np.zeros(_WORD, np.uint8)])
    words = np.ndarray(len(codes) + 1, "<u8", padded, strides=(1,))
    starts, lengths = bounds[:-1].astype(np.int64), np.diff(bounds).astype(np.int64)
    hashes = lengths.astype(np.uint64)
    rows: NDArray[np.int64] | slice = slice(None)
    for offset in range(0, min(lengths.max(initial=0), _MOST_BYTES_HASHED), _WORD):
        n_left = lengths[rows] - offset
        if (n_left > 0).sum() < len(n_left) // 2:
            # Few texts are so long: the others, which would add nothing, are left out from here.
            rows = np.flatnonzero(lengths > offset)
            n_left = lengths[rows] - offset
        word = words[np.minimum(starts[rows] + offset, len(codes))] & _MASKS.take(n_left, mode="clip")
        # Each word has an odd factor of its own, so that words in another order give another hash.
        hashes[rows] += word * np.uint64(_FACTOR * (offset + 1) % (1 << 64))
    hashes = (hashes ^ (hashes >> _HALF)) * np.uint64(_FACTOR)
    return np.asarray(hashes ^ (hashes >> _SHIFT))


class JoinedTexts:
    """Texts put one after the other, in as few arrays as can hold them and never all of them twice."""

    def __init__(self) -> None:
        self._arrays: list[pa.Array] = []
        self._codes = bytearray()
        self._lengths: list[NDArray[np.int32]] = []

    def add(self, texts: pa.ChunkedArray) -> None:
        """Copy further texts, so that they can be let go."""
        for chunk in texts.cast(pa.string()).chunks:
            bounds, codes = _bounds_and_codes(chunk)
            if len(self._codes) + len(codes) > _MOST_BYTES_AN_ARRAY:
                self._end_array()
            self._codes += codes.data
            self._lengths.append(np.diff(bounds))

    def column(self) -> pa.ChunkedArray:
        """Return all texts."""
        self._end_array()
        return pa.chunked_array(self._arrays, pa.string())

    def _end_array(self) -> None:
        bounds = np.cumsum(np.concatenate([[0], *self._lengths]), dtype=np.int32)
        buffers = [None, pa.py_buffer(bounds), pa.py_buffer(self._codes)]
        self._arrays.append(pa.Array.from_buffers(pa.string(), len(bounds) - 1, buffers))
        self._codes, self._lengths = bytearray(), []


def _bounds_and_codes(texts: pa.Array) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return where each text begins, and the last one ends, among the bytes that follow."""
    if not len(texts):
        return np.zeros(1, np.int32), np.zeros(0, np.uint8)
    _, offsets, data = texts.buffers()
    bounds = np.frombuffer(offsets, np.int32, len(texts) + 1, 4 * texts.offset)
    codes = np.frombuffer(data or b"", np.uint8)[bounds[0] : bounds[-1]]
    return bounds - bounds[0], codes
