"""The embedding measure: the same numbers whatever the batch, the order or the cache, also for long texts."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from builder.measures import BIN_MEASURES
from builder.measures.measure import bin_of
from builder.models import encoder
from builder.models.embedding_cache import Embedding, EmbeddingCache
from builder.models.encoder import PACKAGED_ENCODER, check_encoder, embeddings_path, encode, encoder_sha256
from builder.recipe.recipe import Recipe
from contract.machine.errors import UserError

EMBEDDING = BIN_MEASURES["embedding"]
TEXTS = (
    "a warm and funny film",
    "a warm and funny film .",
    "the second half drags badly , and the jokes are tired .",
    "the bus to the harbour leaves at nine",
    "",
    "中文 e\u0301te\u0301 👩‍👩‍👧",
    "word " * 40,
)
LONG = "the cast is splendid and the story finds its way home . " * 40
NEAR = 1e-6


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache in which nothing is known."""
    monkeypatch.setenv("HARDFROST_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the texts that the model is asked about from now on."""
    asked: list[str] = []
    plain = encoder._Encoder.encode

    def listening(self: encoder._Encoder, texts: list[str]) -> list[Embedding]:
        asked.extend(texts)
        return plain(self, texts)

    monkeypatch.setattr(encoder._Encoder, "encode", listening)
    return asked


def test_a_text_is_at_distance_0_from_itself_and_no_other() -> None:
    """Distances are symmetric and grow with what is appended."""
    first, second, other = TEXTS[0], TEXTS[1], TEXTS[3]
    pairs = [(first, first), (first, second), (second, first), (first, other), ("", "")]
    same, near, reverse, far, empty = EMBEDDING.realised(pairs, PACKAGED_ENCODER)
    assert same == empty == 0.0
    assert 0 < near == reverse < far <= 2


def test_a_vector_does_not_depend_on_its_batch(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone, in another order or among longer texts, a text has the same vector."""
    together = dict(zip(TEXTS, encode(TEXTS), strict=True))
    for number, texts in enumerate([[text] for text in TEXTS] + [list(reversed(TEXTS)), [*TEXTS, LONG]]):
        monkeypatch.setenv("HARDFROST_CACHE", str(empty_cache / str(number)))
        for text, vector in zip(texts, encode(texts), strict=True):
            if text in together:
                assert np.abs(vector - together[text]).max() < NEAR


def test_vectors_are_those_of_sentence_transformers() -> None:
    """For texts that fit into the encoder's window, nothing but the batches is ours."""
    theirs = encoder._load(PACKAGED_ENCODER)._model.encode(list(TEXTS), show_progress_bar=False)
    for one, other in zip(encode(TEXTS), theirs, strict=True):
        assert one.dtype == np.float32
        assert np.abs(one - other).max() < NEAR


def test_what_follows_after_the_window_counts() -> None:
    """The encoder sees 256 tokens; a text of 500 is measured to its end."""
    appended = LONG + "the bus to the harbour leaves at nine . " * 30
    (realised,) = EMBEDDING.realised([(LONG, appended)], PACKAGED_ENCODER)
    assert realised > 0.05


def test_the_windows_that_long_texts_share_are_encoded_once(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is appended, only the last window is new, and the vectors are the same as without a memory."""
    plain = encoder._Encoder._vectors
    n_rows: list[int] = []

    def listening(self: encoder._Encoder, rows: list[tuple[int, ...]]) -> list[Embedding]:
        n_rows.append(len(rows))
        return plain(self, rows)

    monkeypatch.setattr(encoder._Encoder, "_vectors", listening)
    longer = [f"{LONG} {n} is {n} ." for n in range(3)]
    alone = []
    for text in longer:
        encoder._load.cache_clear()
        alone += encoder._load(PACKAGED_ENCODER).encode([text])
    windows = n_rows[0]
    assert windows > 1
    n_rows.clear()
    encoder._load.cache_clear()
    model = encoder._load(PACKAGED_ENCODER)
    together = [*model.encode(longer[:2]), *model.encode(longer[2:])]
    assert n_rows == [windows + 1, 1]
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


def test_each_different_text_is_encoded_once_and_kept(empty_cache: Path, encoded: list[str]) -> None:
    """Neither a repetition nor a second call asks the model again, and the numbers stay the same."""
    first = encode([*TEXTS, *TEXTS])
    again = encode(TEXTS)
    assert encoded == list(TEXTS)
    for one, other in zip(first, again, strict=False):
        assert np.array_equal(one, other)
    assert list((empty_cache / "embeddings").iterdir()) == [embeddings_path(PACKAGED_ENCODER)]


def test_a_broken_cache_is_made_anew(empty_cache: Path, encoded: list[str]) -> None:
    """A file that is no database costs time, never a build."""
    folder = embeddings_path(PACKAGED_ENCODER)
    folder.mkdir(parents=True)
    (folder / "embeddings.sqlite").write_bytes(b"no database at all" * 100)
    for _ in range(3):
        encode(["a film"])
    assert 1 <= len(encoded) < 3


def test_vectors_belong_to_the_code_that_made_them(
    empty_cache: Path, encoded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """New code asks the encoder again and does not read what old code kept."""
    encode(["a film"])
    monkeypatch.setattr(encoder, "_own_code", lambda: "another")
    encode(["a film"])
    assert encoded == ["a film", "a film"]
    assert len(list((empty_cache / "embeddings").iterdir())) == 2


def test_a_flipped_byte_in_a_vector_is_noticed_and_mended(tmp_path: Path) -> None:
    """It counts as unknown, and what is stored next takes its place; the others stay."""
    cache = EmbeddingCache(tmp_path)
    vectors = {name: np.full(4, number, dtype=np.float32) for number, name in enumerate("abc")}
    cache.store(vectors)
    with sqlite3.connect(tmp_path / "embeddings.sqlite") as database:
        rows = database.execute("SELECT rowid, value FROM entries").fetchall()
        spoilt = bytearray(rows[1][1])
        spoilt[5] ^= 1
        database.execute("UPDATE entries SET value = ? WHERE rowid = ?", (bytes(spoilt), rows[1][0]))
    database.close()
    assert sorted(cache.load(list("abc"))) == ["a", "c"]
    cache.store({"b": vectors["b"]})
    found = cache.load(list("abc"))
    assert {name: found[name].tolist() for name in found} == {
        name: vectors[name].tolist() for name in vectors
    }


def test_encoders_of_other_times_make_room(tmp_path: Path) -> None:
    """A new encoder, or new code, does not add to the disk for ever."""
    EmbeddingCache(tmp_path / "old").store({"a": np.ones(4, dtype=np.float32)})
    EmbeddingCache(tmp_path / "new", most_bytes=10).store({"a": np.ones(4, dtype=np.float32)})
    assert [path.parent.name for path in tmp_path.glob("*/*.sqlite")] == ["new"]


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    """A locked database is neither waited for in vain nor thrown away."""
    cache = EmbeddingCache(tmp_path, seconds_to_wait=0.0)
    cache.store({"a": np.ones(2, dtype=np.float32)})
    with sqlite3.connect(tmp_path / "embeddings.sqlite", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        cache.store({"b": np.ones(2, dtype=np.float32)})
        assert cache.load(["a", "b"]) == {}
        other.execute("ROLLBACK")
    other.close()
    assert list(cache.load(["a", "b"])) == ["a"]


def test_the_cache_is_bounded_and_forgets_the_oldest(tmp_path: Path) -> None:
    """What is stored last is still there."""
    cache = EmbeddingCache(tmp_path, most_rows=20)
    names = [str(number) for number in range(100)]
    for name in names:
        cache.store({name: np.full(4, float(name), dtype=np.float32)})
        assert name in cache.load([name])
        assert len(cache.load(names)) <= 20
    assert set(cache.load(names)) == set(names[-len(cache.load(names)) :])


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    """Every writer has a connection of its own, as processes have."""

    def write(writer: int) -> None:
        for number in range(10):
            EmbeddingCache(tmp_path).store({f"{writer} {number}": np.full(4, writer, dtype=np.float32)})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    names = [f"{writer} {number}" for writer in range(8) for number in range(10)]
    assert len(EmbeddingCache(tmp_path).load(names)) == 80


def test_an_encoder_that_cannot_be_found_is_named(tmp_path: Path) -> None:
    """What is wrong, and what an encoder may be."""
    with pytest.raises(UserError, match="unknown encoder 'minilm'; an encoder is"):
        check_encoder("minilm")
    with pytest.raises(UserError, match="unknown encoder"):
        encoder_sha256("minilm")
    with pytest.raises(UserError, match="there is no such folder"):
        encoder_sha256(f"file:{tmp_path}/none")
    with pytest.raises(UserError, match=r"no \.safetensors weights"):
        encoder_sha256(f"file:{tmp_path}")


def test_a_folder_can_be_the_encoder() -> None:
    """The packaged encoder by its path is the same encoder."""
    by_path = f"file:{encoder._folder(PACKAGED_ENCODER)}"
    assert encoder_sha256(by_path) == encoder_sha256(PACKAGED_ENCODER)


@given(st.floats(0, 1.2), st.lists(st.floats(0.01, 1), min_size=1, max_size=8, unique=True).map(sorted))
def test_bins_are_open_below_and_closed_above(realised: float, degrees: list[float]) -> None:
    """(previous degree, degree]; nothing below 0 or beyond the last degree."""
    found = bin_of(realised, degrees)
    bins = zip([0.0, *degrees], degrees, strict=False)
    assert [found] == ([degree for low, degree in bins if low < realised <= degree] or [None])


def test_a_recipe_names_the_encoder_and_hides_this_machine(tmp_path: Path) -> None:
    """A folder is named by its last part; what cannot be an encoder is refused with the other faults."""
    raw = {
        "name": "test",
        "version": "1",
        "tasks": [{"name": "mr", "source": "mr"}],
        "dimensions": ["distraction"],
    }
    assert Recipe.model_validate(raw).encoder == PACKAGED_ENCODER
    folder = Recipe.model_validate({**raw, "encoder": f"file:{tmp_path}/minilm"})
    assert folder.resolved()["encoder"] == "file:minilm"
    with pytest.raises(ValidationError, match="unknown encoder 'minilm'"):
        Recipe.model_validate({**raw, "encoder": "minilm"})
