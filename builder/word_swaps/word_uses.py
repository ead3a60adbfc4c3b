"""How a word is used in its text: its lemma and part of speech, and which forms may take its place."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from builder.language.tagger import Token
from builder.language.wordnet.tables import PARTS_OF_SPEECH, load_tables
from builder.language.words.inflected_forms import (
    PROTECTED,
    TAGS_OF_PART_OF_SPEECH,
    Paradigm,
    load_paradigms,
    paradigm_of,
)
from builder.operations.dimension import WordsOfText
from builder.word_swaps.whole_words import WholeWord


def words_in(text: str) -> frozenset[str]:
    """Return the words that a text lists."""
    return frozenset(text.split())


_PART_OF_SPEECH_OF_TAG = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}
_BARE_TAGS = frozenset({"NN", "VB", "VBP", "JJ", "RB"})
_BEFORE_ATTRIBUTES = frozenset({"DT", "PRP$", "JJ", "RB"})
_BEFORE_COUNTED = frozenset({"a", "an", "another", "each", "every", "one", "this", "that"})
_MORE = {"JJR": "more", "RBR": "more", "JJS": "most", "RBS": "most"}
# A word before one of these tags is one half of an expression of two words.
_PARTICLES = frozenset({"IN", "RP", "TO"})
_NO_PARTICLES = frozenset(
    ["after", "although", "as", "because", "before", "if", "since", "than", "that", "though", "when", "while"]
)
_LOOSE_ADVERBS = frozenset(
    [
        "along",
        "apart",
        "around",
        "aside",
        "away",
        "back",
        "down",
        "forward",
        "in",
        "off",
        "on",
        "out",
        "over",
        "through",
        "together",
        "up",
    ]
)


# After a verb these mostly tell where, when or by whom; with the verbs below they mean something together.
_OF_PLACE_OR_TIME = words_in("across among at between by during in near under within")
_GOVERNED = {
    "at": words_in("aim arrive excel glance hint jump laugh look point shout stare work yell"),
    "by": words_in("abide come drop go pass stand stop swear"),
    "in": words_in(
        """
        believe break bring check confide consist culminate delight end engage fill get give go indulge invest
        join lie live log move participate pull put result revel set share sign specialize step succeed take
        tune turn
        """
    ),
}
# After one of these a noun is inflected no longer: points of view.
_INSIDE_NOUNS = frozenset(["at", "for", "from", "in", "of", "on", "to", "with"])
# Shorter adjectives without a comparative of their own have none with "more" either: more main.
_SHORTEST_WITH_MORE = 7


# Marks that may hang on a word; "week," is the neighbour "week".
_MARKS_AFTER = '.,;:!?…)]}"”'


class Neighbours(NamedTuple):
    """The words beside a word, in small letters, and their tags; empty where a mark stands between."""

    before: str = ""
    before_tag: str = ""
    after: str = ""
    after_tag: str = ""


class WordUse(NamedTuple):
    """A lemma, its part of speech, and the tag of the form in which it stands."""

    lemma: str
    part_of_speech: str
    tag: str


def neighbours_of(text: WordsOfText, cores: Sequence[Token | None]) -> list[Neighbours]:
    """Return the neighbours of each word of a text."""
    words = text.words
    is_joined = [
        not text.text[one.end : two.start].strip() and one.text[-1].isalnum() and two.text[0].isalnum()
        for one, two in pairwise(words)
    ]
    small = [word.text.lower().rstrip(_MARKS_AFTER) for word in words]
    tags = ["" if core is None else core.tag for core in cores]
    neighbours = []
    for number in range(len(words)):
        has_before = number > 0 and is_joined[number - 1]
        has_after = number < len(is_joined) and is_joined[number]
        neighbours.append(
            Neighbours(
                *((small[number - 1], tags[number - 1]) if has_before else ("", "")),
                *((small[number + 1], tags[number + 1]) if has_after else ("", "")),
            )
        )
    return neighbours


def use_of(whole_word: WholeWord, neighbours: Neighbours, *, is_verb: bool = False) -> WordUse | None:
    """Return how a word is used, or nothing if that is not clear; `is_verb` says that it is no adjective."""
    word, tag = whole_word.text.lower(), whole_word.tag
    if word in PROTECTED["verb"] or _is_unlike_its_lemma(word, tag):
        return None
    if tag in {"VBG", "VBN"} and not is_verb and (word, "a") in load_tables().senses:
        # "A moving film" has an adjective; whether "it is moving" has one is open.
        if not is_attribute(neighbours):
            return None
        tag = "JJ"
    elif tag == "JJ" and _may_govern(word, neighbours):
        # "Inspiring hope" may be done, or may be that hope is inspiring.
        return None
    part_of_speech = _PART_OF_SPEECH_OF_TAG.get(tag[:2])
    lemma = word if tag in _BARE_TAGS else _lemma_of(word, tag)
    return None if part_of_speech is None or lemma is None else WordUse(lemma, part_of_speech, tag)


def is_bound_to_next(use: WordUse, neighbours: Neighbours) -> bool:
    """Whether a word belongs so closely to the next one that another would not fit it."""
    after, tag = neighbours.after, neighbours.after_tag
    if use.part_of_speech == "n":
        # A noun before an article is rather a verb, whatever the tagger says.
        return tag[:2] == "NN" or tag in {"DT", "PRP$"}
    if use.part_of_speech in {"v", "a"} and tag in _PARTICLES and after not in _NO_PARTICLES:
        return True
    return use.part_of_speech == "v" and after in _LOOSE_ADVERBS


def is_loosely_bound(use: WordUse, neighbours: Neighbours) -> bool:
    """Whether a word belongs to the next one, although another word is known to stand for it.

    A verb may stand before a preposition that tells where or when, unless it governs the preposition.
    """
    after = neighbours.after
    is_adjunct = after in _OF_PLACE_OR_TIME and use.lemma not in _GOVERNED.get(after, ())
    return is_bound_to_next(use, neighbours) and not (use.part_of_speech == "v" and is_adjunct)


def is_own_word(word: str, use: WordUse) -> bool:
    """Whether a plural or a comparative is a word of its own: "glasses" are not many of one thing."""
    return (
        use.lemma != word and (word, use.part_of_speech) in load_tables().senses and use.part_of_speech != "v"
    )


def form_of(lemma: str, use: WordUse, neighbours: Neighbours) -> str | None:
    """Return the form of another lemma that fits the use of a word, if it has a common one."""
    paradigm = load_paradigms().get((lemma, PARTS_OF_SPEECH[use.part_of_speech]))
    if paradigm is not None and paradigm.forms[0] != lemma:
        paradigm = None
    if use.tag in _BARE_TAGS:
        is_counted = use.tag == "NN" and neighbours.before in _BEFORE_COUNTED
        return None if is_counted and not _has_plural(paradigm) else lemma
    form = (
        ""
        if paradigm is None
        else paradigm.forms[TAGS_OF_PART_OF_SPEECH[paradigm.part_of_speech].index(use.tag)]
    )
    return form or None


def inflected(expression: str, use: WordUse, neighbours: Neighbours) -> str | None:
    """Return an expression in the form that fits the use of a word, if it has a common one.

    A verb's first word is inflected, a noun's last one or the one before its preposition.
    """
    words = expression.split()
    head = 0
    if use.part_of_speech == "n":
        inside = (index for index, word in enumerate(words) if word in _INSIDE_NOUNS)
        head = next(inside, len(words)) - 1
    form = form_of(words[head], use, neighbours)
    if form is None and use.tag in _MORE and len(expression) >= _SHORTEST_WITH_MORE:
        form = f"{_MORE[use.tag]} {words[head]}"
    return None if form is None else " ".join([*words[:head], form, *words[head + 1 :]])


def _lemma_of(word: str, tag: str) -> str | None:
    paradigm = paradigm_of(word, tag)
    return None if paradigm is None else paradigm.forms[0]


def _has_plural(paradigm: Paradigm | None) -> bool:
    return paradigm is not None and bool(paradigm.forms[1])


def is_attribute(neighbours: Neighbours) -> bool:
    """Whether the word between these neighbours belongs to the noun after it."""
    return neighbours.before_tag in _BEFORE_ATTRIBUTES and neighbours.after_tag[:2] in {"NN", "JJ"}


def _is_unlike_its_lemma(word: str, tag: str) -> bool:
    """Whether a comparative or superlative is another word than its lemma: worst, of bad."""
    lemma = _lemma_of(word, tag) if tag in {"JJR", "JJS", "RBR", "RBS"} else None
    return lemma is not None and lemma[:2] != word[:2]


def _may_govern(word: str, neighbours: Neighbours) -> bool:
    """Whether the noun after a participle may be its object, since no article tells."""
    is_participle = any((word, tag) in load_paradigms() for tag in ("VBG", "VBN"))
    return is_participle and neighbours.after_tag.startswith("NN") and not is_attribute(neighbours)
