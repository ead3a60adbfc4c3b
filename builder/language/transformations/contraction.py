"""Contraction and expansion: "it is" and "it's", "do not" and "don't"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation

_FULL = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
_SHORT = {"is": "'s", "are": "'re", "am": "'m", "will": "'ll", "have": "'ve"}
_VERBS_OF = {
    "i": {"am", "will", "have"},
    "you": {"are", "will", "have"},
    "we": {"are", "will", "have"},
    "they": {"are", "will", "have"},
    "he": {"is", "will"},
    "she": {"is", "will"},
    "it": {"is"},
    "there": {"is"},
    "that": {"is"},
}
_BEFORE_NOT = frozenset(
    {"do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "would", "could", "should"}
)
_IRREGULAR = {"ca": "can", "wo": "will"}
# "Is not only" rather stands for a contrast than for a negation.
_CONTRAST = frozenset({"only", "just", "merely", "simply", "because", "so", "to", "without", "unlike"})


def expand(parse: Parse) -> Iterator[Draft]:
    """Yield each contraction written out."""
    asked = {number for sentence in parse.sentences if _is_question(parse, sentence) for number in sentence}
    for token in parse.tokens[1:]:
        before = parse.tokens[token.number - 1]
        after = _next(parse, token)
        if token.number in asked:
            # "Isn't it" would become "is not it".
            continue
        if token.small == "n't":
            yield from _expand_not(before, token, after)
        elif token.small == "'s" and before.small in {"it", "that", "there", "he", "she"}:
            full = _is_or_has(parse, token)
            if full:
                yield Draft(before.number, token.number + 1, (before.number, full))
        elif token.small in _FULL and before.universal_tag == "PRON":
            yield Draft(before.number, token.number + 1, (before.number, _FULL[token.small]))
        elif token.small == "'d" and before.universal_tag == "PRON" and after and after.tag == "VB":
            yield Draft(before.number, token.number + 1, (before.number, "would"))


def _is_question(parse: Parse, sentence: range) -> bool:
    return any(parse.tokens[number].text == "?" for number in sentence)


def _expand_not(verb: Token, negation: Token, after: Token | None) -> Iterator[Draft]:
    full = _IRREGULAR.get(verb.small, verb.small)
    # In a question the subject would stand after "not": "is not it".
    if after is None or (
        after.universal_tag in {"PRON", "DET", "PROPN", "PUNCT"} and after.relation.startswith("nsubj")
    ):
        return
    if full in _BEFORE_NOT | {"can", "will", "might", "must"}:
        whole = "cannot" if full == "can" else f"{full} not"
        yield Draft(verb.number, negation.number + 1, (_like(verb.text, whole),))


def _is_or_has(parse: Parse, token: Token) -> str | None:
    """Return what "'s" stands for after a pronoun, if that is clear."""
    after = _next(parse, token)
    if after is None or after.universal_tag == "PUNCT" or token.tag != "VBZ":
        return None
    head = parse.tokens[token.head]
    if after.small in {"been", "got", "had"}:
        return "has"
    if token.relation == "cop" and after.tag not in {"VBN", "VBD"}:
        return "is"
    return "is" if token.relation == "aux" and head.tag == "VBG" else None


def contract(parse: Parse) -> Iterator[Draft]:
    """Yield each pair of words that has a contraction, contracted."""
    for token in parse.tokens[1:]:
        before = parse.tokens[token.number - 1]
        after = _next(parse, token)
        if after is None or after.universal_tag == "PUNCT" or (before.text.isupper() and before.small != "i"):
            continue
        if token.small == "not" and before.small in _BEFORE_NOT and after.small not in _CONTRAST:
            if before.universal_tag in {"AUX", "VERB"} and before.head in {token.head, before.number}:
                yield Draft(before.number, token.number + 1, (before.number, "n't"))
        elif token.small in _VERBS_OF.get(before.small, ()) and token.relation in {"cop", "aux", "aux:pass"}:
            is_subject = before.relation.startswith(("nsubj", "expl")) and before.head == token.head
            is_main = before.small != "that" or before.number in parse.firsts
            if (
                is_subject
                and is_main
                and not _is_asked_about(parse, before)
                and after.small not in {"not", "n't"}
            ):
                yield Draft(before.number, token.number + 1, (before.number, _SHORT[token.small]))


def _is_asked_about(parse: Parse, subject: Token) -> bool:
    """Whether a question word stands just before: "how good they are to us" keeps its full verb."""
    return any(
        token.tag in {"WRB", "WP", "WDT"}
        for token in parse.tokens[max(0, subject.number - 2) : subject.number]
    )


def _next(parse: Parse, token: Token) -> Token | None:
    number = token.number + 1
    return parse.tokens[number] if number < len(parse.tokens) else None


def _like(word: str, text: str) -> str:
    return text[0].upper() + text[1:] if word[0].isupper() else text


EXPANSION = Transformation(
    name="expansion",
    summary="contractions are written out",
    find=expand,
    undoes="contraction",
    is_repeated=True,
    weight=1.0,
)
CONTRACTION = Transformation(
    name="contraction",
    summary="two words that have a contraction are contracted",
    find=contract,
    undoes="expansion",
    is_repeated=True,
    weight=1.0,
)
