"""What the strongest words do: accuracy with and without them, and their parts of speech.

Figure 8 and Table 6 of the paper on single-word perturbations.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from builder.language.tagger import tag_words
from builder.singleword.matrix import Matrix, Votes
from builder.singleword.sentences import Sentence, positions_of
from builder.values.samples import Sample
from contract.schema.manifest import TextField
from contract.schema.single_words import PartOfSpeech, WordEffect

# Texts with a word that are looked at, the paper's 1,000 times ten words being many questions.
MOST_TEXTS = 200
# Penn Treebank tags by how they begin.
_PARTS: dict[str, PartOfSpeech] = {"NN": "noun", "VB": "verb", "JJ": "adjective", "RB": "adverb"}


def parts_of_speech(words: Sequence[str]) -> list[PartOfSpeech]:
    """Return what each word is when it stands alone."""
    tagged = tag_words(list(words))
    tags = [own[0].tag if own and own[0] is not None else "" for own in tagged]
    return [_PARTS.get(tag[:2], "other") for tag in tags]


def effect_of(
    word: str, rows: Iterable[Sample], field: TextField, attacked: "Attacked", votes: Votes
) -> WordEffect:
    """Return what a classifier's accuracy is with the word, when it is removed, and when it is put in."""
    holding = []
    for row in rows:
        if word.lower() in _cores(row.field(field)):
            holding.append(row)
        if len(holding) == MOST_TEXTS:
            break
    removed = [_without(row, word, field) for row in holding]
    answers = list(votes([(row.text, row.text_pair) for row in [*holding, *removed]]))
    labels = [row.label for row in holding]
    right = [vote == label for vote, label in zip(answers, labels * 2, strict=True)]
    put_in = attacked.accuracies(word)
    return WordEffect(
        word=word,
        n_with=len(holding),
        accuracy_with=_share(right[: len(holding)]),
        accuracy_removed=_share(right[len(holding) :]),
        n_without=put_in.n,
        accuracy_without=put_in.before,
        accuracy_attacked=put_in.after,
    )


class Attacked:
    """The texts of a matrix, and those that the classifier had wrong before anything was changed."""

    def __init__(self, matrix: Matrix, sentences: Sequence[Sentence], wrong: Sequence[Sentence]) -> None:
        self._matrix = matrix
        self._places = {word: place for place, word in enumerate(matrix.words)}
        self._right = [_cores(own.sample.field(own.field)) for own in sentences]
        self._wrong = [_cores(own.sample.field(own.field)) for own in wrong]

    def accuracies(self, word: str) -> "_Accuracies":
        """Return accuracy on texts without a word, and once the word is put where it hurts."""
        lacks = np.array([word.lower() not in cores for cores in self._right], np.bool_)
        n_wrong = sum(word.lower() not in cores for cores in self._wrong)
        n_right = int(lacks.sum())
        n_flipped = int(self._matrix.is_flipped[lacks, self._places[word]].sum())
        n = n_right + n_wrong
        return _Accuracies(n, n_right / n if n else None, (n_right - n_flipped) / n if n else None)


class _Accuracies:
    def __init__(self, n: int, before: float | None, after: float | None) -> None:
        self.n, self.before, self.after = n, before, after


def _cores(text: str) -> frozenset[str]:
    return frozenset(text[start:end].lower() for start, end in positions_of(text))


def _without(row: Sample, word: str, field: TextField) -> Sample:
    """Return a row without any use of a word."""
    text = row.field(field)
    for start, end in reversed(positions_of(text)):
        if text[start:end].lower() == word.lower():
            before, after = text[:start], text[end:]
            # Two spaces would be left where one stood on either side.
            is_alone = before[-1:].isspace() or not before
            text = before + (after.lstrip() if is_alone and after[:1].isspace() else after)
    changed = {"text": row.text, "text_pair": row.text_pair} | {field: text}
    return Sample(id=row.id, label=row.label, text=changed["text"] or "", text_pair=changed["text_pair"])


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
