"""Contractions and their long forms: do not and don't, it is and it's."""

from collections.abc import Iterator

from builder.word_swaps.variants.places import Places, Variant, as_cased

_NEGATED = {
    "aren't": "are not",
    "can't": "cannot",
    "couldn't": "could not",
    "didn't": "did not",
    "doesn't": "does not",
    "don't": "do not",
    "hadn't": "had not",
    "hasn't": "has not",
    "haven't": "have not",
    "isn't": "is not",
    "shouldn't": "should not",
    "wasn't": "was not",
    "weren't": "were not",
    "won't": "will not",
    "wouldn't": "would not",
}
_CONTRACTED = {long: short for short, long in _NEGATED.items()} | {"can not": "can't"}
# Where clitics stand alone, two helping verbs are cut short before "n't".
_CUT_SHORT = {"ca": "can", "wo": "will"}
_CLITICS = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
_PRONOUNS = frozenset(["i", "you", "he", "she", "it", "we", "they"])
_BEFORE_IS = frozenset(
    ["he", "she", "it", "that", "there", "here", "what", "who", "where", "how", "when", "why", "everything"]
)
_SHORT_OF = {
    "am": ("'m", frozenset(["i"])),
    "are": ("'re", frozenset(["you", "we", "they"])),
    "is": ("'s", _BEFORE_IS - {"when", "why"}),
    "will": ("'ll", _PRONOUNS | {"that", "there", "who"}),
    "have": (
        "'ve",
        frozenset(["i", "you", "we", "they", "who", "would", "could", "should", "might", "must"]),
    ),
    "has": ("'s", frozenset(["he", "she", "it", "who", "that", "there"])),
    "had": ("'d", _PRONOUNS - {"it"}),
    "would": ("'d", (_PRONOUNS | {"who"}) - {"it"}),
}
_WH = frozenset(["what", "where", "how", "who", "why", "when", "which"])
# After one of these the verb ends its clause, and is written in full: "as good as it is now".
_STRESSED_AFTER = frozenset(["as", "than", "what", "where", "how", "who", "whatever", "so", "which"])
_ALWAYS_HAS = frozenset(["been", "got", "had", "become"])
# What makes "not" part of another expression.
_NOT_ONLY = frozenset(["only", "just", "merely", "simply", "so", "until", "unlike", "least"])


def contractions_in(places: Places) -> Iterator[Variant]:
    """Yield the contractions of a text in full, and what can be contracted."""
    for number in range(places.n_words):
        word = places.small(number)
        if "'" in word:
            yield from _in_full(places, number, word)
        elif word.isalpha():
            yield from _in_short(places, number, word)


def _in_full(places: Places, number: int, word: str) -> Iterator[Variant]:
    if word == "n't":
        yield from _not_in_full(places, number)
    elif word in _NEGATED and _is_statement(places, number, number):
        yield places.variant(number, number, as_cased(places.raw(number), _NEGATED[word]))
    elif word == "let's":
        yield places.variant(number, number, as_cased(places.raw(number), "let us"))
    else:
        host, mark, rest = word.rpartition("'")
        clitic = mark + rest
        if host or places.is_joined(number - 1):
            subject = host or places.small(number - 1)
            long = _long_of(places, number, subject, clitic)
            if long:
                form = f"{places.raw(number)[: len(host)]} {long}" if host else long
                yield places.variant(number, number, form)


def _not_in_full(places: Places, number: int) -> Iterator[Variant]:
    """Yield "do not" for "do n't", where these are two words."""
    helping = places.before(number)
    if f"{helping}n't" not in _NEGATED or not _is_statement(places, number - 1, number):
        return
    if helping in _CUT_SHORT:
        form = as_cased(places.raw(number - 1), f"{_CUT_SHORT[helping]} not")
        yield places.variant(number - 1, number, form)
    else:
        yield places.variant(number, number, "not")


def _is_statement(places: Places, first: int, last: int) -> bool:
    """Whether no subject follows the verb, as it does in a question: "don't you", "why don't people"."""
    after, before = places.tag_after(last), places.before(first)
    if after in {"PRP", "EX"} or places.after(last) in _PRONOUNS:
        return False
    if not before or before in _WH:
        return after in {"VB", "RB"} and (bool(before) or places.small(first) in {"don't", "do"})
    return True


def _long_of(places: Places, number: int, subject: str, clitic: str) -> str:
    """Return what a clitic stands for; nothing where that is open, as between "is", "has" and possession."""
    after, tag = places.after(number), places.tag_after(number)
    if clitic in _CLITICS:
        return _CLITICS[clitic] if subject in _PRONOUNS else ""
    if clitic == "'d" and subject in _PRONOUNS:
        return "would" if tag == "VB" or after in {"be", "have", "like", "rather"} else ""
    if clitic == "'s" and subject in _BEFORE_IS:
        if after in _ALWAYS_HAS:
            return "has"
        return "" if tag in {"VBN", "VBD", "NN", "NNS", "POS"} or not after else "is"
    return ""


def _in_short(places: Places, number: int, word: str) -> Iterator[Variant]:
    raw, after = places.raw(number), places.after(number)
    if word == "cannot" and not places.is_cut_apart and _is_free(places, number):
        yield places.variant(number, number, as_cased(raw, "can't"))
    if after == "not" and f"{word} not" in _CONTRACTED and _is_free(places, number + 1):
        if places.is_cut_apart:
            if word not in _CUT_SHORT.values():
                yield places.variant(number + 1, number + 1, "n't")
        else:
            yield places.variant(number, number + 1, as_cased(raw, _CONTRACTED[f"{word} not"]))
    if after in _SHORT_OF and _is_subject_of(places, number, after) and _may_be_weak(places, number):
        clitic = _SHORT_OF[after][0]
        if places.is_cut_apart:
            yield places.variant(number + 1, number + 1, clitic)
        else:
            yield places.variant(number, number + 1, raw + clitic)


def _is_subject_of(places: Places, number: int, verb: str) -> bool:
    """Whether a verb may be cut short after a word: a pronoun, or a noun if what follows shows the verb."""
    if places.small(number) in _SHORT_OF[verb][1]:
        return True
    # "The film's a mess" has no other reading; "the film's planning" has.
    is_shown = verb == "is" and places.after(number + 1) in {"a", "an", "the", "not"}
    is_noun = places.tag(number) == "NN" and places.raw(number).islower()
    return is_shown and is_noun and not places.small(number).endswith(("s", "x", "z", "ch", "sh"))


def _is_free(places: Places, number: int) -> bool:
    """Whether a "not" negates the verb before it, and neither a mark nor a subject follows."""
    after = places.after(number)
    return bool(after) and after not in _NOT_ONLY and after not in _PRONOUNS


def _may_be_weak(places: Places, number: int) -> bool:
    """Whether the verb after a subject only helps what follows it."""
    verb, tag = places.after(number), places.tag_after(number + 1)
    is_asked = places.small(number) in _WH
    if not is_asked and places.before(number) in _STRESSED_AFTER:
        return False
    if verb in {"have", "has", "had"}:
        return tag == "VBN"
    if verb in {"will", "would"}:
        return tag == "VB"
    return tag in {"DT", "PRP$", "VBG", "VBN", "JJ"} or (is_asked and tag in {"NN", "NNS", "NNP"})
