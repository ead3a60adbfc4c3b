"""The tagger: tags by context, on words as everybody counts them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.language.tagger import model as tagger_model
from builder.language.tagger import tag, tag_words
from builder.language.tagger.pieces import pieces_of
from builder.language.tagger.tagging import shared_tagger
from builder.making.treebank import read_trees
from contract.schema.edits import words_of

TREEBANK_PATH = Path(__file__).parents[5] / "shared" / "data" / "ud_ewt"
REVIEW = "it 's a charming , well-acted film , isn't it ? ( mostly . )"


def tags_of(text: str) -> dict[str, str]:
    """Return the tag of each word's core."""
    return {token.text: token.tag for token in tag_words([text])[0] if token is not None}


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("she lives in a small town .", "lives", "VBZ"),
        ("it is about their lives .", "lives", "NNS"),
        ("i saw the film twice", "saw", "VBD"),
        ("he was left alone", "left", "VBN"),
        ("a film that everyone will watch", "watch", "VB"),
        ("The acting is great.", "acting", "NN"),
        ("Steven Spielberg directs.", "Spielberg", "NNP"),
    ],
)
def test_a_tag_is_read_from_the_context(text: str, word: str, expected: str) -> None:
    """The same form has the tag of its use."""
    assert tags_of(text)[word] == expected


def test_marks_and_clitics_are_no_part_of_the_core() -> None:
    """The core of a word is what carries its meaning; a clitic alone or a compound has none."""
    cores = tag_words([REVIEW])[0]
    assert [core and core.text for core in cores] == [
        "it",
        None,
        "a",
        "charming",
        None,
        "film",
        "is",
        "it",
        "mostly",
    ]
    assert all(core is None or REVIEW[core.start : core.end] == core.text for core in cores)


@pytest.mark.parametrize(
    ("chunk", "expected"),
    [
        ("film,", ["film", ","]),
        ("isn't", ["is", "n't"]),
        ("can’t", ["ca", "n’t"]),
        ("'s", ["'s"]),
        ("cannot", ["can", "not"]),
        ("heart-warming", ["heart", "-", "warming"]),
        ("re-made", ["re-made"]),
        ("(1,000.50)", ["(", "1,000.50", ")"]),
        ("wow...", ["wow", "..."]),
        ("o'clock", ["o'clock"]),
        ("www.imdb.com.", ["www.imdb.com", "."]),
        ("90s", ["90s"]),
        ("want", ["want"]),
    ],
)
def test_a_chunk_is_cut_as_the_treebank_cuts(chunk: str, expected: list[str]) -> None:
    """Marks, clitics and hyphens are pieces of their own; numbers, addresses and prefixes are whole."""
    assert [piece.text for piece in pieces_of(chunk)] == expected


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(), max_size=3))
def test_pieces_cover_any_text_and_words_are_those_of_everybody(texts: list[str]) -> None:
    """No character is lost or shifted, and words have the numbers that measures give them."""
    for text, tokens, cores in zip(texts, tag(texts), tag_words(texts), strict=True):
        assert "".join(token.text for token in tokens) == "".join(text.split())
        assert all(text[token.start : token.end] == token.text and token.tag for token in tokens)
        words = words_of(text)
        assert len(cores) == len(words)
        for token in tokens:
            if token.word is not None:
                assert words[token.word].start <= token.start < token.end <= words[token.word].end


def test_a_text_is_tagged_the_same_alone_and_among_others() -> None:
    """Batches leave no trace."""
    texts = ["he left .", REVIEW, "", "A " * 700, "stop ! go ? " * 40]
    assert tag(texts) == [tag([text])[0] for text in texts]


def test_weights_that_are_not_the_code_s_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other weights would make other cases under the same name."""
    monkeypatch.setattr(tagger_model, "WEIGHTS_SHA256", "0" * 64)
    tagger_model.load_model.cache_clear()
    with pytest.raises(ValueError, match="not the file this code was made for"):
        tagger_model.load_model()
    tagger_model.load_model.cache_clear()


@pytest.mark.skipif(not TREEBANK_PATH.exists(), reason="the treebank is not here")
@pytest.mark.parametrize(("change", "at_least"), [(str, 0.945), (str.lower, 0.94)])
def test_accuracy_on_the_treebank_s_test_part_is_as_stated(change: type[str], at_least: float) -> None:
    """What the model card says holds, with a little room."""
    sentences = read_trees(TREEBANK_PATH, "test")
    expected = [piece.tag for sentence in sentences for piece in sentence.nodes]
    pieces = [[change(piece.text) for piece in sentence.nodes] for sentence in sentences]
    found = list(shared_tagger().tags(pieces))
    assert sum(a == b for a, b in zip(expected, found, strict=True)) / len(expected) >= at_least
