"""Tags the words of texts by their context: Penn Treebank tags, as in the English Web Treebank."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from builder.language.tagger.features import Vocabulary, feature_keys, split_sentences
from builder.language.tagger.model import Model, load_model
from builder.language.tagger.pieces import LEXICAL, Kind, Piece, pieces_of

# Pieces tagged at a time, and pieces remembered: both only bound the memory.
BATCH_SIZE = 16_384
MOST_REMEMBERED = 200_000

_CHUNK = re.compile(r"\S+")


class Token(NamedTuple):
    """A tagged piece of a text: where it stands, and which word of the text it belongs to, if any."""

    start: int
    end: int
    text: str
    tag: str
    kind: Kind
    word: int | None


class _Chunk(NamedTuple):
    """What stands between two spaces: its place, its pieces, and its number if it is a word."""

    start: int
    pieces: tuple[Piece, ...]
    word: int | None


def tag(texts: Sequence[str]) -> list[list[Token]]:
    """Return the tagged pieces of each text: every character that is not a space stands in one of them."""
    chunks_of = [_chunks(text) for text in texts]
    tags = shared_tagger().tags(
        [[piece.text for chunk in chunks for piece in chunk.pieces] for chunks in chunks_of]
    )
    return [
        [
            Token(start + piece.start, start + piece.end, piece.text, next(tags), piece.kind, word)
            for start, pieces, word in chunks
            for piece in pieces
        ]
        for chunks in chunks_of
    ]


def tag_words(texts: Sequence[str]) -> list[list[Token | None]]:
    """Return for each text and each of its words the core of the word: its one lexical piece.

    Marks and clitics around it are left out; a word of several such pieces (a compound, cannot) has None.
    """
    result: list[list[Token | None]] = []
    for tokens in tag(texts):
        cores: dict[int, list[Token]] = {}
        for token in tokens:
            if token.word is not None:
                of_word = cores.setdefault(token.word, [])
                if token.kind in LEXICAL:
                    of_word.append(token)
        result.append([of_word[0] if len(of_word) == 1 else None for of_word in cores.values()])
    return result


def _chunks(text: str) -> list[_Chunk]:
    """Return the chunks of a text; words are numbered as in `contract.schema.edits`."""
    chunks: list[_Chunk] = []
    n_words = 0
    for match in _CHUNK.finditer(text):
        chunk = match.group()
        is_word = chunk.isalnum() or any(map(str.isalnum, chunk))
        chunks.append(_Chunk(match.start(), pieces_of(chunk), n_words if is_word else None))
        n_words += is_word
    return chunks


class Tagger:
    """Tags pieces with a model, and remembers the pieces it has seen."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._vocabulary = Vocabulary(model.lexicon)

    def tags(self, texts: Sequence[Sequence[str]]) -> Iterator[str]:
        """Yield the tags of all pieces of all texts, in order."""
        batch: list[Sequence[str]] = []
        size = 0
        for pieces in texts:
            for sentence in split_sentences(pieces):
                batch.append(sentence)
                size += len(sentence)
                if size >= BATCH_SIZE:
                    yield from self._tag_batch(batch)
                    batch, size = [], 0
        if batch:
            yield from self._tag_batch(batch)

    def _tag_batch(self, sentences: Sequence[Sequence[str]]) -> list[str]:
        if len(self._vocabulary) > MOST_REMEMBERED:
            self._vocabulary = Vocabulary(self._model.lexicon)
        scores = self._model.scores(feature_keys(self._vocabulary, sentences))
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        return [self._model.tags[number] for number in self._model.decode(scores, lengths).tolist()]


@lru_cache(maxsize=1)
def shared_tagger() -> Tagger:
    """Return the tagger with the shipped weights."""
    return Tagger(load_model())
