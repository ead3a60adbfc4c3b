"""Sources: "according to X, …" and "…, according to X"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import body_end, is_plain
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LONGEST_SOURCE = 10
_NO_SOURCE = frozenset({"VBZ", "VBD", "VBP", "MD", "WDT", "WP"})


def move_sources(parse: Parse) -> Iterator[Draft]:
    """Yield sentences with the source of what they say last instead of first, or first instead of last."""
    for sentence in parse.sentences:
        said = list(parse.words(sentence))
        if said.count("according") != 1 or not is_plain(parse, sentence):
            continue
        place, end = sentence.start + said.index("according"), body_end(parse, sentence)
        if parse.tokens[place + 1].small != "to":
            continue
        commas = [number for number in range(sentence.start, end) if parse.tokens[number].text == ","]
        if place == sentence.start and commas:
            source, body = range(place, commas[0]), range(commas[0] + 1, end)
            pieces = (*body, ",", *source)
        elif commas and place == commas[-1] + 1:
            source, body = range(place, end), range(sentence.start, place - 1)
            pieces = (*source, ",", *body)
        else:
            continue
        is_clear = len(source) <= _LONGEST_SOURCE and len(body) >= 3
        if is_clear and not any(parse.tokens[number].tag in _NO_SOURCE for number in source):
            yield Draft(sentence.start, end, pieces)


SOURCE = Transformation(name="source", summary="“according to X” changes its place", find=move_sources)
