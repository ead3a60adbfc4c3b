"""Asking a classifier: once for each text, from the disk where known, the same numbers in any company."""

import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from classifiers.machinery import inference, transformer
from classifiers.machinery.classifier import CHEAP, EXPENSIVE, Probabilities, TextPair
from classifiers.machinery.devices import run_in_batches
from classifiers.machinery.ensemble import Ensemble
from classifiers.machinery.inference import Inference
from classifiers.machinery.probability_cache import FOLDER, ProbabilityCache
from classifiers.machinery.transformer import Transformer
from contract.machine.errors import UserError

WEIGHTS = "a" * 64


class Lengths:
    """Knows only how long a text is, and remembers what it was asked."""

    cost: ClassVar[int] = EXPENSIVE

    def __init__(self) -> None:
        self.asked: list[TextPair] = []

    def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
        """Return a third for every letter and the rest."""
        self.asked += texts
        share = np.array([len(text) / 3 % 1 for text, _ in texts])
        return np.stack([share, 1 - share], axis=1)


class Cheap(Lengths):
    """The same for almost nothing."""

    cost: ClassVar[int] = CHEAP


def test_each_text_is_asked_once_and_never_again(tmp_path: Path) -> None:
    """Not in one call, not in the next, not by the next process; a pair is another text than its parts."""
    texts: list[TextPair] = [("a", None), ("ab", None), ("a", None), ("a", ""), ("a", "b"), ("ab", None)]
    classifier = Lengths()
    asker = Inference(classifier, WEIGHTS, tmp_path)
    rows = asker.ask(texts)
    assert classifier.asked == [("a", None), ("ab", None), ("a", ""), ("a", "b")]
    assert rows[0].tolist() == [0.333333, 0.666667]
    assert np.array_equal(rows, np.array([rows[0], rows[1], rows[0], rows[0], rows[0], rows[1]]))
    again = Lengths()
    second = Inference(again, WEIGHTS, tmp_path)
    assert np.array_equal(second.ask([*texts, ("abcd", None)]), np.vstack([rows, rows[:1]]))
    assert again.asked == [("abcd", None)]
    assert (second.counts.n_queries, second.counts.n_distinct) == (7, 5)
    assert (second.counts.n_cached, second.counts.n_computed) == (4, 1)
    assert Inference(Lengths(), "b" * 64, tmp_path).ask([]).shape == (0, 2)


def test_answers_belong_to_the_weights(tmp_path: Path) -> None:
    """Another classifier is asked anew."""
    Inference(Lengths(), WEIGHTS, tmp_path).ask([("a", None)])
    other = Lengths()
    Inference(other, "b" * 64, tmp_path).ask([("a", None)])
    assert len(other.asked) == 1


def test_answers_belong_to_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a text becomes before the weights see it may change while they do not."""
    Inference(Lengths(), WEIGHTS, tmp_path).ask([("a", None)])
    other = Lengths()
    monkeypatch.setattr(inference, "hash_of_code", lambda *_: "another")
    Inference(other, WEIGHTS, tmp_path).ask([("a", None)])
    assert len(other.asked) == 1


def test_answers_of_an_ensemble_belong_to_the_code_of_its_members(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own code only takes the mean."""
    hashed: list[set[str]] = []
    monkeypatch.setattr(inference, "hash_of_code", lambda modules, _: hashed.append(set(modules)) or "code")
    Inference(Ensemble((Lengths(), Ensemble((Lengths(),)))), WEIGHTS, tmp_path)
    assert hashed == [{Ensemble.__module__, Lengths.__module__}]


def test_cheap_classifiers_leave_nothing_on_the_disk(tmp_path: Path) -> None:
    """To look up would take as long as to compute."""
    asker = Inference(Cheap(), WEIGHTS, tmp_path)
    assert asker.votes([("a", None), ("ab", None)]) == [1, 0]
    assert list(tmp_path.iterdir()) == []


def test_many_texts_are_asked_some_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a killed build loses is bounded, and rows stay in order."""
    monkeypatch.setattr(inference, "TEXTS_AT_A_TIME", 3)
    texts: list[TextPair] = [("a" * n, None) for n in range(8)]
    rows = Inference(Lengths(), WEIGHTS, tmp_path).ask(texts)
    assert np.allclose(rows[:, 0], [n / 3 % 1 for n in range(8)], atol=1e-6)


def test_a_classifier_that_has_answered_is_not_asked_about_nothing() -> None:
    """People's own functions often fail on an empty list; a search may have nothing to ask."""

    class Choosy(Lengths):
        def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
            assert texts, "asked about nothing"
            return super().probabilities(texts)

    inference = Inference(Choosy(), "0" * 64, None)
    answers = inference.ask([("a", None)])
    assert inference.ask([]).shape == (0, answers.shape[1])
    assert inference.votes([]) == []


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    """Nothing is voted by a broken model."""

    class Broken(Lengths):
        def probabilities(self, texts: Sequence[TextPair]) -> Probabilities:
            return np.full((len(texts), 2), np.nan)

    with pytest.raises(UserError, match="not numbers"):
        Inference(Broken(), WEIGHTS, tmp_path).ask([("a", None)])


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to be read as one" * 40])
def test_a_damaged_cache_is_made_anew(tmp_path: Path, content: bytes) -> None:
    """A crash costs time, never a build or a number."""
    Inference(Lengths(), WEIGHTS, tmp_path).ask([("a", None)])
    (path,) = (tmp_path / FOLDER).glob("*.sqlite")
    path.write_bytes(content)
    classifier = Lengths()
    for _ in range(3):
        Inference(classifier, WEIGHTS, tmp_path).ask([("a", None)])
    assert 1 <= len(classifier.asked) <= 2


def test_a_table_of_something_else_is_no_answer(tmp_path: Path) -> None:
    """The database of a version that kept other things is not read."""
    Inference(Lengths(), WEIGHTS, tmp_path).ask([("b", None)])
    (path,) = (tmp_path / FOLDER).glob("*.sqlite")
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE entries (other TEXT)")
    rows = Inference(Lengths(), WEIGHTS, tmp_path).ask([("a", None)])
    assert rows.tolist() == [[0.333333, 0.666667]]


def test_a_flipped_byte_in_an_answer_is_noticed_and_mended(tmp_path: Path) -> None:
    """Inside a value the database itself sees nothing wrong."""
    texts: list[TextPair] = [("a", None), ("bb", None)]
    expected = Inference(Lengths(), WEIGHTS, tmp_path).ask(texts)
    (path,) = (tmp_path / FOLDER).glob("*.sqlite")
    with sqlite3.connect(path) as database:
        ((number, kept),) = database.execute("SELECT rowid, value FROM entries LIMIT 1")
        spoilt = bytes([kept[0] ^ 1, *kept[1:]])
        database.execute("UPDATE entries SET value = ? WHERE rowid = ?", (spoilt, number))
    database.close()
    classifier = Lengths()
    for _ in range(2):
        assert (Inference(classifier, WEIGHTS, tmp_path).ask(texts) == expected).all()
    assert len(classifier.asked) == 1


def test_the_oldest_answers_make_room(tmp_path: Path) -> None:
    """A classifier keeps a bounded number of rows, all classifiers a bounded number of bytes."""
    cache = ProbabilityCache(tmp_path, WEIGHTS, most_rows=8)
    row = np.array([0.25, 0.75])
    for n in range(20):
        cache.store({(f"{n}", None): row})
    known = cache.load([(f"{n}", None) for n in range(20)])
    assert 6 <= len(known) <= 8
    assert ("19", None) in known
    assert ("0", None) not in known
    ProbabilityCache(tmp_path, "b" * 64, most_bytes=10).store({("x", None): row})
    assert [path.stem for path in (tmp_path / FOLDER).glob("*.sqlite")] == ["b" * 64]


def test_several_may_ask_at_the_same_time(tmp_path: Path) -> None:
    """All get the right numbers, and all answers are kept."""
    texts: list[TextPair] = [("a" * n, None) for n in range(60)]

    def ask(start: int) -> Probabilities:
        return Inference(Lengths(), WEIGHTS, tmp_path).ask(texts[start : start + 40])

    with ThreadPoolExecutor(8) as pool:
        for start, rows in zip([0, 10, 20] * 8, pool.map(ask, [0, 10, 20] * 8), strict=True):
            assert np.allclose(rows[:, 0], [n / 3 % 1 for n in range(start, start + 40)], atol=1e-6)
    last = Inference(Lengths(), WEIGHTS, tmp_path)
    last.ask(texts)
    assert last.counts.n_cached == 60


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("MPS backend out of memory"),
        RuntimeError("can't allocate memory: 9 bytes"),
    ],
)
def test_a_batch_that_does_not_fit_is_halved(error: Exception) -> None:
    """And so are those after it; every place is run once."""
    done: list[list[int]] = []

    def run(places: Sequence[int]) -> None:
        if len(places) > 5:
            raise error
        done.append(list(places))

    run_in_batches(range(20), 16, run)
    assert [len(places) for places in done] == [4, 4, 4, 4, 4]
    assert [place for places in done for place in places] == list(range(20))


def test_what_never_fits_and_other_faults_are_raised() -> None:
    """No endless halving, and no fault taken for a full memory."""

    def never(places: Sequence[int]) -> None:
        raise MemoryError

    def broken(places: Sequence[int]) -> None:
        raise RuntimeError("shapes do not match")

    with pytest.raises(MemoryError):
        run_in_batches(range(4), 4, never)
    with pytest.raises(RuntimeError, match="shapes"):
        run_in_batches(range(4), 4, broken)


def test_a_transformer_answers_the_same_in_smaller_batches(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory decides how long it takes, not what is said; windows of tokenising neither."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(checkpoint).eval()
    classifier = Transformer(AutoTokenizer.from_pretrained(checkpoint), model, [1, 0])
    texts: list[TextPair] = [("a good film " * (n % 9) + "bad " * (n % 4), None) for n in range(50)]
    expected = classifier.probabilities(texts)
    forward, sizes = type(model).forward, []

    def little(self: object, input_ids: object, **others: object) -> object:
        sizes.append(len(input_ids))  # type: ignore[arg-type]
        if sizes[-1] > 6:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return forward(self, input_ids, **others)

    monkeypatch.setattr(type(model), "forward", little)
    monkeypatch.setattr(transformer, "WINDOW", 20)
    assert np.abs(classifier.probabilities(texts) - expected).max() < 1e-5
    assert max(sizes) > 6


def test_a_transformer_answers_to_the_last_bit_the_same_in_any_company(checkpoint: Path) -> None:
    """What was asked before decides with whom a text is asked: alone, with its like, or with longer ones."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(checkpoint).eval()
    classifier = Transformer(AutoTokenizer.from_pretrained(checkpoint), model, [1, 0])
    texts: list[TextPair] = [("a good bad film " * n + "film " * (n % 4), None) for n in range(30)]
    shapes = []
    forward = classifier._forward

    def watched(inputs: Mapping[str, Any], n_at_least: int) -> Any:
        shapes.append(tuple(inputs["input_ids"].shape))
        # Without a mask that hides something, other sums are taken.
        assert not inputs["attention_mask"].all() or shapes[-1][1] == classifier._longest()
        return forward(inputs, n_at_least)

    object.__setattr__(classifier, "_forward", watched)
    together = classifier.probabilities(texts)
    assert min(n_rows for n_rows, _ in shapes) >= 2
    assert len({length for _, length in shapes}) > 2
    for place, text in enumerate(texts):
        assert (classifier.probabilities([text])[0] == together[place]).all()
    assert (classifier.probabilities(texts[::3]) == together[::3]).all()
