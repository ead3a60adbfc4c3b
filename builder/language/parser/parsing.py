"""Parses texts, with the packaged parser or any installed spaCy pipeline with Universal Dependencies."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from builder.language.parser.datelines import body_start
from builder.language.parser.parse import Parse, Token
from builder.language.parser.vectors import set_word_vectors
from builder.language.parser.weights import WEIGHTS_PATH, WEIGHTS_SHA256, hash_of_weights
from builder.models.resources import PACKAGED
from classifiers.machinery.model_folders import loading_model
from contract.machine.errors import UserError, bad_input

if TYPE_CHECKING:
    from spacy.language import Language

# Longer texts are not parsed, which bounds the parser's time and memory.
MOST_CHARACTERS = 20_000


def parse(texts: Sequence[str], parser: str = PACKAGED) -> list[Parse]:
    """Return each text parsed, datelines left out, the same whatever other texts are parsed with it."""
    nlp = load_parser(parser)
    return [_parse(nlp, text) for text in texts]


def _parse(nlp: "Language", text: str) -> Parse:
    if len(text) > MOST_CHARACTERS:
        return Parse(text, (), ())
    start = body_start(text)
    doc = nlp(text[start:])
    # Pieces of white space are no words: what is between two pieces is seen from their places.
    numbers = {token.i: number for number, token in enumerate(piece for piece in doc if not piece.is_space)}
    tokens = tuple(
        Token(
            number=numbers[token.i],
            text=token.text,
            start=start + token.idx,
            end=start + token.idx + len(token.text),
            tag=token.tag_,
            universal_tag=token.pos_,
            head=numbers.get(token.head.i, numbers[token.i]),
            relation=token.dep_,
        )
        for token in doc
        if not token.is_space
    )
    sentences = [[numbers[token.i] for token in sentence if not token.is_space] for sentence in doc.sents]
    return Parse(text, tokens, tuple(sentence[0] for sentence in sentences if sentence))


@lru_cache(maxsize=2)
def load_parser(parser: str) -> "Language":
    """Return a spaCy pipeline."""
    try:
        import spacy
    except ImportError as error:
        raise UserError("the parser needs spaCy; install it with `pip install hardfrost[build]`") from error

    if parser == PACKAGED:
        return _packaged()
    name = parser.removeprefix("spacy:")
    if name == parser:
        raise bad_input(f"unknown parser {parser!r}; a parser is {PACKAGED}, spacy:PACKAGE or spacy:FOLDER")
    if not is_installed_pipeline(name) and not Path(name).is_dir():
        raise bad_input(
            f"parser {parser}: no spaCy pipeline is installed under this name, and there is no such folder;"
            " install its package, or correct the name"
        )
    with loading_model(f"parser {parser}", "name a pipeline that was made for this version of spaCy"):
        nlp = spacy.load(name)
    labels = set(getattr(nlp.get_pipe("parser"), "labels", ())) if nlp.has_pipe("parser") else set()
    if not {"nsubj", "obj", "obl", "case"} <= labels:
        raise bad_input(
            f"parser {parser}: it does not give Universal Dependencies (nsubj, obj, obl, case …);"
            " name a pipeline that was trained on a UD treebank"
        )
    return nlp


def is_installed_pipeline(name: str) -> bool:
    """Tell whether an installed package says that it is the spaCy pipeline of this name."""
    return any(entry.name == name for entry in entry_points(group="spacy_models"))


def _packaged() -> "Language":
    if hash_of_weights(WEIGHTS_PATH) != WEIGHTS_SHA256:
        raise ValueError(
            f"{WEIGHTS_PATH} is not the parser this code was made for; install the package again"
        )
    return load_folder(WEIGHTS_PATH)


def load_folder(folder: Path) -> "Language":
    """Return a pipeline that was saved without its vocabulary, with the encoder's word vectors."""
    import spacy

    nlp = spacy.load(folder, exclude=["vocab"])
    for name in nlp.pipe_names:
        for label in getattr(nlp.get_pipe(name), "labels", ()):
            nlp.vocab.strings.add(label)
    set_word_vectors(nlp.vocab)
    return nlp
