"""Connectors: "the film, however, is long" and "however, the film is long", whatever the parser says."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import body_end, follows_a_stop
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_CONNECTORS = frozenset(
    {"however", "therefore", "moreover", "furthermore", "nevertheless", "meanwhile", "indeed"}
)
_LONGEST_SUBJECT = 6


def move(parse: Parse) -> Iterator[Draft]:
    """Yield connectors first instead of after the subject, or after it instead of first."""
    for sentence in parse.sentences:
        end = body_end(parse, sentence)
        if end - sentence.start < 6 or not follows_a_stop(parse, sentence):
            continue
        for number in sentence[1 : _LONGEST_SUBJECT + 2]:
            token = parse.tokens[number]
            is_inside = (
                number + 1 < end and parse.tokens[number - 1].text == parse.tokens[number + 1].text == ","
            )
            if token.small in _CONNECTORS and is_inside:
                rest = [*range(sentence.start, number - 1), *range(number + 2, end)]
                yield Draft(sentence.start, end, (number, ",", *rest))
        first, comma = parse.tokens[sentence.start], parse.tokens[sentence.start + 1]
        subject = _subject_end(parse, range(sentence.start + 2, end))
        if first.small in _CONNECTORS and comma.text == "," and subject:
            pieces = (*range(sentence.start + 2, subject), ",", first.number, ",", *range(subject, end))
            yield Draft(sentence.start, end, pieces)


def _subject_end(parse: Parse, numbers: range) -> int:
    """Return the number of the finite verb after a short plain subject; 0 if there is none."""
    for number in numbers[:_LONGEST_SUBJECT]:
        token = parse.tokens[number]
        if token.tag in {"VBZ", "VBD", "VBP", "MD"} and number > numbers.start:
            return number
        if token.tag not in {"DT", "JJ", "NN", "NNS", "NNP", "PRP", "PRP$", "CD"}:
            return 0
    return 0


CONNECTOR = Transformation(name="connector", summary="“however” changes its place", find=move)
