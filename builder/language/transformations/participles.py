"""Participles: "hoping to win, X did …" and "X did …, hoping to win"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import body_end, is_plain
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_POINTING = frozenset({"it", "he", "she", "they", "them", "him", "its", "his", "her", "their"})


def move_participles(parse: Parse) -> Iterator[Draft]:
    """Yield sentences with a participle of their subject last instead of first, or first instead of last."""
    for sentence in parse.sentences:
        if len(sentence) < 7 or not is_plain(parse, sentence):
            continue
        end = body_end(parse, sentence)
        commas = [number for number in range(sentence.start, end) if parse.tokens[number].text == ","]
        if len(commas) != 1:
            continue
        first, last = range(sentence.start, commas[0]), range(commas[0] + 1, end)
        opens, closes = (parse.tokens[part.start] for part in (first, last))
        if _is_of_subject(opens.small, opens.tag) and closes.universal_tag not in {"VERB", "CCONJ"}:
            # "Hoping to win, they …": the name that "they" stands for would come later.
            if closes.tag != "PRP" and len(first) >= 3:
                yield Draft(sentence.start, end, (*last, ",", *first))
        elif _is_of_subject(closes.small, closes.tag) and len(last) >= 3:
            has_subject = opens.tag in {"DT", "NNP", "NNS", "NN", "PRP", "JJ"}
            if has_subject and not _POINTING.intersection(parse.words(last)):
                yield Draft(sentence.start, end, (*last, ",", *first))


def _is_of_subject(word: str, tag: str) -> bool:
    return tag == "VBG" and word in words("wishing-participles")


PARTICIPLE = Transformation(
    name="participle", summary="what a subject hopes or uses comes first or last", find=move_participles
)
