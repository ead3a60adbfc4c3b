"""Extraposition: "it is easy to get lost" and "to get lost is easy"; "is it safe to swim?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import body_end, follows_a_stop
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import paradigm_of

_LONGEST = 14


def change(parse: Parse) -> Iterator[Draft]:
    """Yield "doing … is hard" for "it is hard to do …", and "is doing … safe?" for "is it safe to do …?"."""
    for sentence in parse.sentences:
        end = body_end(parse, sentence)
        if end - sentence.start < 6 or not follows_a_stop(parse, sentence):
            continue
        first, second, adjective, to, verb = (parse.tokens[number] for number in sentence[:5])
        gerund = paradigm_of(verb.small, "VB") if verb.tag == "VB" else None
        marks = "".join(parse.tokens[number].text for number in range(end, sentence.stop))
        rest = range(verb.number + 1, end)
        is_clear = (
            {first.small, second.small} in ({"it", "is"}, {"it", "was"})
            and adjective.tag == "JJ"
            and to.small == "to"
            and len(rest) <= _LONGEST
            and not {",", "but", "and", "if", "when", "because", "not"}.intersection(parse.words(rest))
            and not {"able", "likely", "supposed", "due", "ready", "sure"}.intersection({adjective.small})
        )
        if not is_clear or gerund is None or not gerund.forms[4]:
            continue
        doing = (gerund.forms[4], *rest)
        if first.small == "it" and marks in {".", "!", ""}:
            yield Draft(sentence.start, end, (*doing, second.number, adjective.number))
        elif second.small == "it" and marks == "?":
            yield Draft(sentence.start, end, (first.number, *doing, adjective.number))


EXTRAPOSITION = Transformation(
    name="extraposition", summary="“doing it is hard” for “it is hard to do it”", find=change
)
