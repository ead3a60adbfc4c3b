"""Requests: "please read the rules" and "read the rules, please"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.statements import body_end, follows_a_stop
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LONGEST = 16
_REFUSED = frozenset({",", ":", ";", '"', "(", "if", "but", "and"})


def move_please(parse: Parse) -> Iterator[Draft]:
    """Yield requests with "please" last instead of first, or first instead of last."""
    for sentence in parse.sentences:
        end = body_end(parse, sentence)
        if end - sentence.start < 4 or not follows_a_stop(parse, sentence) or end - sentence.start > _LONGEST:
            continue
        first, second = (parse.tokens[number] for number in sentence[:2])
        last, comma = parse.tokens[end - 1], parse.tokens[end - 2]
        marks = {parse.tokens[number].text for number in range(end, sentence.stop)}
        if not marks <= {".", "!"} or not marks:
            continue
        if (
            first.small == "please"
            and second.universal_tag in {"VERB", "AUX"}
            and second.tag in {"VB", "VBP"}
        ):
            body = range(sentence.start + 1, end)
            pieces: tuple[Piece, ...] = (*body, ",", "please")
        elif last.small == "please" and comma.text == "," and first.tag == "VB":
            body = range(sentence.start, end - 2)
            pieces = ("please", *body)
        else:
            continue
        if not _REFUSED.intersection(parse.words(body)):
            yield Draft(sentence.start, end, pieces)


REQUEST = Transformation(
    name="request", summary="“please” changes between first and last place", find=move_please
)
