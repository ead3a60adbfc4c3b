"""The shipped parser reads written and treebank-style text alike, alone or among others."""

import pickle
from pathlib import Path

import pytest
import spacy

from builder.language.parser.datelines import body_start
from builder.language.parser.parse import Parse
from builder.language.parser.parsing import MOST_CHARACTERS, load_folder, load_parser, parse
from builder.language.parser.weights import WEIGHTS_PATH, WEIGHTS_SHA256, hash_of_weights
from builder.making.parser.train import documents
from builder.making.treebank import in_small_letters, read_trees
from contract.machine.errors import UserError

TREEBANK = Path(__file__).parents[5] / "shared" / "data" / "ud_ewt"


def root_and_subject(parsed: Parse) -> tuple[str, str]:
    """Return what a text says of what."""
    (root,) = parsed.roots(parsed.sentences[0])
    subject = parsed.child(root.number, "nsubj")
    assert subject is not None
    return root.small, subject.small


@pytest.mark.parametrize(
    "text",
    [
        "The film, while flawed, isn't bad.",
        "the film , while flawed , is n't bad .",
        "the film -lrb- while flawed -rrb- isn't bad .",
        "Reuters - The film, while flawed, isn't bad.",
    ],
)
def test_the_same_is_read_in_every_style(text: str) -> None:
    """Small letters, spaces and brackets by name change nothing; a dateline is left out."""
    (parsed,) = parse([text])
    assert root_and_subject(parsed) == ("bad", "film")
    assert all(parsed.text[token.start : token.end] == token.text for token in parsed.tokens)
    assert "n't" in [token.small for token in parsed.tokens]


def test_a_text_is_parsed_the_same_in_any_company() -> None:
    """Batches do not matter."""
    texts = ["a warm film .", "It isn't what the two of them had in mind, is it?", "the cast is fine ."]
    assert parse(texts) == [parse([text])[0] for text in texts]


@pytest.mark.parametrize("text", ["", "  \n ", "x" * (MOST_CHARACTERS + 1)])
def test_a_text_that_says_nothing_or_too_much_has_no_pieces(text: str) -> None:
    """There is nothing to rewrite in it."""
    (parsed,) = parse([text])
    assert (parsed.tokens, parsed.sentences) == ((), [])


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("LONDON (Reuters) - Oil prices fell.", 19),
        ("AP - Oil prices fell.", 5),
        ("Oil prices - again - fell.", 0),
        ("a film - and what a film", 0),
    ],
)
def test_datelines_are_told_from_sentences(text: str, start: int) -> None:
    """By their capitals and agencies."""
    assert body_start(text) == start


def test_the_weights_are_those_the_code_names_and_hold_no_pickle(monkeypatch: pytest.MonkeyPatch) -> None:
    """They load where nothing can be unpickled."""

    def refuse(*_args: object, **_options: object) -> None:
        raise AssertionError("something was unpickled")

    monkeypatch.setattr(pickle, "load", refuse)
    monkeypatch.setattr(pickle, "loads", refuse)
    assert hash_of_weights(WEIGHTS_PATH) == WEIGHTS_SHA256
    assert [token.tag_ for token in load_folder(WEIGHTS_PATH)("It rains.")] == ["PRP", "VBZ", "."]


def test_another_pipeline_is_named_by_package_or_folder(tmp_path: Path) -> None:
    """One without Universal Dependencies is refused, and so is what is not there."""
    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(UserError, match="does not give Universal Dependencies"):
        load_parser(f"spacy:{tmp_path}")
    with pytest.raises(UserError, match="spacy:no_such_pipeline"):
        load_parser("spacy:no_such_pipeline")
    with pytest.raises(UserError, match="a parser is packaged, spacy:PACKAGE or spacy:FOLDER"):
        load_parser("stanza")


@pytest.mark.skipif(not TREEBANK.is_dir(), reason="the treebank is not here")
def test_most_of_the_treebank_is_parsed_right_in_either_style() -> None:
    """A floor for heads and relations, on some sentences that were not trained on."""
    trees = read_trees(TREEBANK, "test")[:150]
    nlp = load_folder(WEIGHTS_PATH)
    for form in (trees, [in_small_letters(tree) for tree in trees]):
        docs = documents([form], nlp.vocab)
        scores = nlp.evaluate([spacy.training.Example(nlp.make_doc(doc.text), doc) for doc in docs])
        assert scores["dep_las"] > 0.72
        assert scores["tag_acc"] > 0.9
