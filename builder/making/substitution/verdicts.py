"""Reads SWORDS and CoInCo as substitutions with verdicts, and splits them by document.

The files name no documents. Sentences that stand together in a context of SWORDS, and sentences that share a
rare name, count as one document; a document is either trained on or held out, in both files.
"""

import csv
import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from builder.language.masked_lm.model import PACKAGED, Floats, load_model
from builder.language.masked_lm.places import Span, read_places
from builder.language.substitution.places import Substitution, lemma_of
from builder.language.substitution.vectors import word_vectors
from builder.language.tagger import tag
from builder.language.words.inflected_forms import TAGS_OF_PART_OF_SPEECH, load_paradigms

# A name in more sentences than this does not tell a document.
MOST_SENTENCES_OF_NAME = 8
# One target in so many of CoInCo's is used: the others would only repeat the same words.
COINCO_EVERY = 6
# How many of the model's own words are judged at each of CoInCo's places, by likelihood and nearness.
N_PROPOSED = 12
WEIGHT_OF_NEARNESS = 12.0
LEAST_LETTERS = 15
_PARTS = {"NOUN": "noun", "VERB": "verb", "ADJ": "adjective", "ADV": "adverb"}
_PART_OF_TAG = {"NN": "noun", "VB": "verb", "JJ": "adjective", "RB": "adverb"}
_BARE = frozenset({"NN", "VB", "VBP", "JJ", "RB"})
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A substitution in a text, whether it is acceptable, how much that counts, and where it comes from."""

    text: str
    swap: Substitution
    is_acceptable: bool
    weight: float
    source: str
    is_held_out: bool


def read_verdicts(folder: Path) -> list[Verdict]:
    """Return the verdicts of both files."""
    swords = _rows(folder / "swords_dev.tsv.gz")
    coinco = _rows(folder / "coinco.tsv.gz")
    held_out = _held_out([row["context"] for row in swords], [row["sentence"] for row in coinco])
    return [*_of_swords(swords, held_out), *_of_coinco(coinco, held_out)]


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class Groups:
    """Texts that are joined into groups, one pair after the other."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._owner = {text: text for text in texts}

    def first_of(self, text: str) -> str:
        """Return the text that stands for the group of another."""
        while self._owner[text] != text:
            self._owner[text] = text = self._owner[self._owner[text]]
        return text

    def join(self, one: str, other: str) -> None:
        """Make one group of two."""
        self._owner[self.first_of(one)] = self.first_of(other)

    def members(self) -> list[list[str]]:
        """Return the groups."""
        by_first: dict[str, list[str]] = {}
        for text in self._owner:
            by_first.setdefault(self.first_of(text), []).append(text)
        return list(by_first.values())


def _held_out(contexts: Sequence[str], sentences: Sequence[str]) -> Mapping[str, bool]:
    """Return for each text whether its document is held out."""
    texts = list(dict.fromkeys([*contexts, *sentences]))
    groups = Groups(texts)
    letters = {text: "".join(filter(str.isalnum, text.lower())) for text in texts}
    long = [text for text in dict.fromkeys(sentences) if len(letters[text]) > LEAST_LETTERS]
    for context in dict.fromkeys(contexts):
        for sentence in long:
            if letters[sentence] in letters[context]:
                groups.join(sentence, context)
    by_name: dict[str, list[str]] = {}
    for text in texts:
        for name in sorted(set(_NAME.findall(text))):
            by_name.setdefault(name, []).append(text)
    for of_name in by_name.values():
        for text in of_name[1:] if len(of_name) <= MOST_SENTENCES_OF_NAME else ():
            groups.join(text, of_name[0])
    members = groups.members()
    # The largest group, which names tie together, is trained on; of the others half are held out.
    largest = max(members, key=lambda group: (len(group), min(group)))
    return {
        text: group is not largest and sha256(min(group).encode()).digest()[0] % 2 == 0
        for group in members
        for text in group
    }


def _of_swords(rows: Sequence[Mapping[str, str]], held_out: Mapping[str, bool]) -> Iterator[Verdict]:
    contexts = list(dict.fromkeys(row["context"] for row in rows))
    tags = {
        (context, token.start): token.tag
        for context, tokens in zip(contexts, tag(contexts), strict=True)
        for token in tokens
    }
    for row in rows:
        start = int(row["start"])
        form = form_for(row["substitute"], _PARTS[row["pos"]], tags.get((row["context"], start), ""))
        if form is not None:
            yield Verdict(
                text=row["context"],
                swap=Substitution(start, start + len(row["target"]), form),
                is_acceptable=2 * int(row["yes"]) >= int(row["judges"]),
                weight=1.0,
                source="swords",
                is_held_out=held_out[row["context"]],
            )


def _of_coinco(rows: Sequence[Mapping[str, str]], held_out: Mapping[str, bool]) -> Iterator[Verdict]:
    chosen = [row for row in rows if _chance(row["sentence"] + row["token_index"]) % COINCO_EVERY == 0]
    spans = [_span_of(row["sentence"], int(row["token_index"])) for row in chosen]
    proposed = _proposed([row["sentence"] for row in chosen], spans, [row["pos"] for row in chosen])
    for row, span, words in zip(chosen, spans, proposed, strict=True):
        given = {}
        for part in row["substitutes (lemma:annotators)"].split("; "):
            substitute, _, n_annotators = part.rpartition(":")
            given[substitute] = int(n_annotators)
        for lemma, count in given.items():
            form = form_for(lemma, _PART_OF_TAG[row["pos"][:2]], row["pos"])
            if form is not None:
                # One annotator of six may have been alone with it.
                yield _verdict(row, span, form, 1.0 if count > 1 else 0.4, held_out, is_acceptable=True)
        for form in words:
            if lemma_of(form, row["pos"]) not in given:
                # Nobody gave it, but not everything that is right was given.
                yield _verdict(row, span, form, 0.5, held_out, is_acceptable=False)


def _verdict(
    row: Mapping[str, str],
    span: Span,
    form: str,
    weight: float,
    held_out: Mapping[str, bool],
    *,
    is_acceptable: bool,
) -> Verdict:
    return Verdict(
        text=row["sentence"],
        swap=Substitution(span.start, span.end, form),
        is_acceptable=is_acceptable,
        weight=weight,
        source="coinco",
        is_held_out=held_out[row["sentence"]],
    )


def _proposed(sentences: Sequence[str], spans: Sequence[Span], tags: Sequence[str]) -> list[list[str]]:
    """Return words of the same form that the model would put there and that are near the original."""
    model = load_model(PACKAGED)
    tokens = model.tokens_of_words
    words = [model.words[token] for token in tokens]
    vectors = word_vectors(words)

    def read(number: int, _place: int, logs: Floats) -> list[str]:
        word = sentences[number][spans[number].start : spans[number].end].lower()
        combined = logs[tokens] + WEIGHT_OF_NEARNESS * (vectors @ word_vectors([word])[0])
        best = [words[place] for place in (-combined).argsort(kind="stable")[: 6 * N_PROPOSED]]
        lemma = lemma_of(word, tags[number])
        fitting = [
            form
            for form in best
            if lemma_of(form, tags[number]) != lemma
            and form_for(lemma_of(form, tags[number]), _PART_OF_TAG[tags[number][:2]], tags[number]) == form
            and (lemma_of(form, tags[number]), _PART_OF_TAG[tags[number][:2]]) in load_paradigms()
        ]
        return fitting[:N_PROPOSED]

    return [answers[0] for answers in read_places(sentences, [[span] for span in spans], read, PACKAGED)]


def form_for(lemma: str, part_of_speech: str, token_tag: str) -> str | None:
    """Return the form of a lemma that a tag asks for, if it is known."""
    if " " in lemma or not lemma.isalpha():
        return None
    if token_tag in _BARE:
        return lemma
    paradigm = load_paradigms().get((lemma, part_of_speech))
    tags = TAGS_OF_PART_OF_SPEECH[part_of_speech]
    if paradigm is None or token_tag not in tags:
        return None
    return paradigm.forms[tags.index(token_tag)] or None


def _span_of(sentence: str, token_index: int) -> Span:
    tokens = sentence.split(" ")
    start = sum(len(token) + 1 for token in tokens[:token_index])
    return Span(start, start + len(tokens[token_index]))


def _chance(key: str) -> int:
    return int.from_bytes(sha256(key.encode()).digest()[:4], "big")
