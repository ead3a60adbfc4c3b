"""The fluency check: a rewrite is parsed again, and refused if its words are parsed otherwise than before."""

import re
from collections import Counter

from builder.language.parser.parse import Parse
from builder.language.words.negations import negations_of

# So many words may depend on another word than before: what was moved, and what it was moved from.
MOST_ARCS_LOST = 3
# So many words may be parsed as another part of speech.
MOST_TAGS_LOST = 0
_NUMBER = re.compile(r"\d+")
_CONTENT = {
    "NOUN": "noun",
    "PROPN": "noun",
    "VERB": "verb",
    "AUX": "verb",
    "ADJ": "adjective",
    "ADV": "adverb",
    "NUM": "number",
}


def is_sound(before: Parse, after: Parse) -> bool:
    """Whether a rewrite keeps negations and numbers, and the structure of what it did not change."""
    if not says_the_same(before.text, after.text):
        return False
    tags_lost = _content_tags(before) - _content_tags(after)
    # A verb that changed its form is gone under one form and there under another.
    tags_new = _content_tags(after) - _content_tags(before)
    n_retagged = sum((_words(tags_lost) & _words(tags_new)).values())
    arcs_lost = sum((_arcs(before) - _arcs(after)).values())
    return n_retagged <= MOST_TAGS_LOST and arcs_lost <= MOST_ARCS_LOST


def says_the_same(before: str, after: str) -> bool:
    """Whether a rewrite has the negations and the numbers of the original, no more and no fewer."""
    are_negations_kept = negations_of(before) == negations_of(after)
    return are_negations_kept and Counter(_NUMBER.findall(before)) == Counter(_NUMBER.findall(after))


def _content_tags(parse: Parse) -> Counter[tuple[str, str]]:
    return Counter(
        (token.small, _CONTENT[token.universal_tag])
        for token in parse.tokens
        if token.universal_tag in _CONTENT
    )


def _words(tagged: Counter[tuple[str, str]]) -> Counter[str]:
    words: Counter[str] = Counter()
    for (word, _), n in tagged.items():
        words[word] += n
    return words


def _arcs(parse: Parse) -> Counter[tuple[str, str]]:
    """Return each content word with the one it depends on."""
    return Counter(
        (token.small, parse.tokens[token.head].small)
        for token in parse.tokens
        if token.universal_tag in _CONTENT and token.head != token.number
    )
