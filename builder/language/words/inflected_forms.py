"""The inflected forms of English words, and how likely one is written by mistake for another."""

import gzip
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from builder.language.words.negations import is_negation
from contract.machine.hashes import hash_of_file

TABLE_PATH = Path(__file__).parent / "data" / "inflections.tsv.gz"
# Units are keyed by the hash of the code, which through this constant covers the table.
TABLE_SHA256 = "6f9019949070086b2a3d4355536091d1fa7cd4c263b43406698bf1c5a2a3e503"

# The tags of a part of speech, in the order of the table's columns.
TAGS_OF_PART_OF_SPEECH: Mapping[str, tuple[str, ...]] = {
    "noun": ("NN", "NNS"),
    "verb": ("VB", "VBZ", "VBD", "VBN", "VBG"),
    "adjective": ("JJ", "JJR", "JJS"),
    "adverb": ("RB", "RBR", "RBS"),
}
_PART_OF_SPEECH_OF_TAG = {
    tag: part_of_speech for part_of_speech, tags in TAGS_OF_PART_OF_SPEECH.items() for tag in tags
} | {"VBP": "verb"}

# How often one form is written for another, relatively. Bare and third-person forms are confused most, then
# tenses; where two forms are written alike, the sum counts. A plural of a plural (peoples) is a mistake, too.
LIKELIHOOD: Mapping[str, Mapping[str, float]] = {
    "NN": {"NNS": 1.0},
    "NNS": {"NN": 1.0, "NNS": 1.0},
    "VB": {"VBZ": 1.0, "VBD": 0.6, "VBN": 0.2, "VBG": 0.6},
    "VBP": {"VBZ": 1.0, "VBD": 0.4, "VBN": 0.1, "VBG": 0.3},
    "VBZ": {"VB": 1.0, "VBD": 0.4, "VBN": 0.1, "VBG": 0.3},
    "VBD": {"VB": 1.0, "VBZ": 0.4, "VBN": 0.6, "VBG": 0.2},
    "VBN": {"VB": 1.0, "VBZ": 0.2, "VBD": 0.6, "VBG": 0.2},
    "VBG": {"VB": 1.0, "VBZ": 0.4, "VBD": 0.3, "VBN": 0.1},
    "JJ": {"JJR": 0.6, "JJS": 0.4},
    "JJR": {"JJ": 1.0, "JJS": 0.6},
    "JJS": {"JJ": 0.6, "JJR": 1.0},
    "RB": {"RBR": 1.0, "RBS": 0.2},
    "RBR": {"RB": 1.0, "RBS": 0.4},
    "RBS": {"RB": 0.6, "RBR": 1.0},
}

# For auxiliary verbs, only mistakes of agreement and tense: "it are", "they was", "he have".
HELPING: Mapping[str, Mapping[str, float]] = {
    "is": {"are": 1.0, "was": 0.3},
    "are": {"is": 1.0, "were": 0.3},
    "am": {"is": 1.0, "are": 1.0},
    "was": {"were": 1.0, "is": 0.3},
    "were": {"was": 1.0, "are": 0.3},
    "has": {"have": 1.0, "had": 0.3},
    "have": {"has": 1.0, "had": 0.3},
    "had": {"have": 1.0, "has": 1.0},
    "does": {"do": 1.0, "did": 0.3},
    "do": {"does": 1.0, "did": 0.3},
    "did": {"do": 1.0, "does": 1.0},
}

# Grammatical words, and words whose other forms have another meaning.
PROTECTED: Mapping[str, frozenset[str]] = {
    "noun": frozenset(
        [
            "anybody",
            "anyone",
            "anything",
            "everybody",
            "everyone",
            "everything",
            "none",
            "one",
            "ones",
            "somebody",
            "someone",
            "something",
            "goods",
            "lot",
            "means",
            "thanks",
        ]
    ),
    "verb": frozenset(
        [
            "according",
            "be",
            "bear",
            "bearing",
            "bears",
            "been",
            "being",
            "bore",
            "born",
            "borne",
            "can",
            "concerning",
            "considering",
            "could",
            "including",
            "let",
            "lets",
            "lie",
            "lied",
            "lies",
            "lying",
            "may",
            "might",
            "must",
            "regarding",
            "shall",
            "should",
            "used",
            "will",
            "would",
        ]
    ),
    "adjective": frozenset(
        [
            "base",
            "black",
            "blind",
            "brown",
            "cross",
            "even",
            "few",
            "fewer",
            "fewest",
            "flip",
            "game",
            "gay",
            "green",
            "ill",
            "last",
            "later",
            "latest",
            "less",
            "like",
            "little",
            "main",
            "more",
            "most",
            "much",
            "pink",
            "prompt",
            "red",
            "right",
            "round",
            "still",
            "sure",
            "tan",
            "well",
            "white",
            "wrong",
        ]
    ),
    "adverb": frozenset(
        [
            "bad",
            "best",
            "better",
            "easy",
            "even",
            "far",
            "farther",
            "farthest",
            "further",
            "furthest",
            "later",
            "less",
            "little",
            "longer",
            "more",
            "most",
            "much",
            "near",
            "well",
            "worse",
            "worst",
        ]
    ),
}
# Forms that are more often another word: of bite, bear, bind, grind, lie, wind, strange, numb …
MISLEADING = frozenset(
    [
        "bit",
        "bore",
        "born",
        "bound",
        "commoner",
        "damper",
        "dimmer",
        "fitter",
        "fresher",
        "ground",
        "idler",
        "lay",
        "lied",
        "number",
        "rent",
        "slacker",
        "slicker",
        "spat",
        "stranger",
        "trimmer",
        "wound",
    ]
)


class Paradigm(NamedTuple):
    """A lemma's forms, one for each tag of its part of speech; empty where none is common."""

    part_of_speech: str
    forms: tuple[str, ...]


class Form(NamedTuple):
    """Another form, and how often it is written by mistake, relatively."""

    text: str
    likelihood: float


@lru_cache(maxsize=65_536)
def other_forms(word: str, tag: str) -> tuple[Form, ...]:
    """Return the other forms of a word in small letters that has this tag."""
    part_of_speech = _PART_OF_SPEECH_OF_TAG.get(tag)
    if part_of_speech is None or word in PROTECTED[part_of_speech] or is_negation(word):
        return ()
    if part_of_speech == "verb" and word in HELPING:
        return tuple(Form(form, likelihood) for form, likelihood in HELPING[word].items())
    paradigm = paradigm_of(word, tag)
    likelihoods: dict[str, float] = {}
    for other, form in zip(
        TAGS_OF_PART_OF_SPEECH[part_of_speech], paradigm.forms if paradigm else (), strict=False
    ):
        if form and form != word and form not in MISLEADING:
            likelihoods[form] = likelihoods.get(form, 0.0) + LIKELIHOOD[tag].get(other, 0.0)
    return tuple(Form(form, likelihood) for form, likelihood in likelihoods.items() if likelihood)


def paradigm_of(word: str, tag: str) -> Paradigm | None:
    """Return the paradigm in which the word has the tag, or else its part of speech, since taggers err."""
    if tag not in _PART_OF_SPEECH_OF_TAG:
        return None
    paradigms = load_paradigms()
    exact = paradigms.get((word, "VB" if tag == "VBP" else tag))
    return exact or paradigms.get((word, _PART_OF_SPEECH_OF_TAG[tag]))


def lemmas_of(word: str) -> frozenset[str]:
    """Return the lemmas of which a word in small letters may be a form, whatever its part of speech."""
    paradigms = (load_paradigms().get((word, part_of_speech)) for part_of_speech in TAGS_OF_PART_OF_SPEECH)
    return frozenset(paradigm.forms[0] for paradigm in paradigms if paradigm)


@lru_cache(maxsize=1)
def load_paradigms() -> Mapping[tuple[str, str], Paradigm]:
    """Return the paradigm of each form under each tag, and under its part of speech whatever the tag."""
    if hash_of_file(TABLE_PATH) != TABLE_SHA256:
        raise ValueError(f"{TABLE_PATH} is not the file this code was made for; install the package again")
    paradigms: dict[tuple[str, str], Paradigm] = {}
    for line in gzip.decompress(TABLE_PATH.read_bytes()).decode().split("\n"):
        part_of_speech, *forms = line.split("\t")
        paradigm = Paradigm(part_of_speech, tuple(forms))
        for tag, form in zip(TAGS_OF_PART_OF_SPEECH[part_of_speech], forms, strict=True):
            # The table begins with the most frequent lemmas: "found" is rather find's than found's.
            if form:
                paradigms.setdefault((form, tag), paradigm)
                paradigms.setdefault((form, part_of_speech), paradigm)
    return paradigms
