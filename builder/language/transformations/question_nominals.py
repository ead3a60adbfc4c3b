"""Nouns and verbs in questions: "what does it mean?" and "what is the meaning of it?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import follows_a_stop
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_DETERMINERS = frozenset({"a", "an", "the", "this", "that"})
_LONGEST = 12


def change_noun_or_verb(parse: Parse) -> Iterator[Draft]:
    """Yield questions for a difference, meaning, cost or number with a verb for a noun or the reverse."""
    for sentence in parse.sentences:
        end = sentence.stop - 1
        said = list(parse.words(sentence))
        is_whole = said[-1] == "?" and follows_a_stop(parse, sentence) and 4 < len(said) <= _LONGEST + 6
        if not is_whole or {",", ":", ";", '"', "(", "/"}.intersection(said):
            continue
        yield from _difference(parse, sentence, end, said)
        yield from _meaning(parse, sentence, end, said)
        yield from _number(parse, sentence, end, said)


def _difference(parse: Parse, sentence: range, end: int, said: list[str]) -> Iterator[Draft]:
    """Yield "how do A and B differ" for "what is the difference between A and B"."""
    is_asked = said[:2] in (["what", "is"], ["what", "'s"]) and said[2:3] in (["the"], ["a"])
    if not is_asked or said[3:5] != ["difference", "between"] or said.count("and") != 1:
        return
    pair = range(sentence.start + 5, end)
    if not {"in", "of", "for", "when", "that"}.intersection(parse.words(pair)) and len(pair) <= _LONGEST:
        yield Draft(sentence.start, end, ("how do", *pair, "differ"))


def _meaning(parse: Parse, sentence: range, end: int, said: list[str]) -> Iterator[Draft]:
    """Yield "what does A mean" for "what is the meaning of A", and the same of its cost, both ways."""
    start = sentence.start
    if said[:3] == ["what", "is", "the"] and said[4:5] == ["of"] and said[3] in {"meaning", "cost"}:
        thing = range(start + 5, end)
        if _is_one_thing(parse, thing):
            opening = "what does" if said[3] == "meaning" else "how much does"
            yield Draft(start, end, (opening, *thing, "mean" if said[3] == "meaning" else "cost"))
    elif said[0] == "what" and said[1] in {"is", "was"} and said[2:5] == ["the", "name", "of"]:
        first, last = parse.tokens[start + 5], parse.tokens[end - 1]
        is_named = first.small in _DETERMINERS or first.tag == "NNP"
        if is_named and last.tag in {"NN", "NNP"} and said.count("of") == 1:
            yield Draft(start, end, (start, start + 1, *range(start + 5, end), "called"))
    elif said[0] == "what" and said[1] in {"is", "was"} and said[-2] in {"called", "named"}:
        thing = range(start + 2, end - 1)
        if parse.tokens[thing.start].small in _DETERMINERS and parse.tokens[end - 2].tag in {"NN", "NNP"}:
            yield Draft(start, end, (start, start + 1, "the name of", *thing))
    elif (
        said[:2] == ["what", "does"]
        and said[-2] == "mean"
        and _is_one_thing(parse, range(start + 2, end - 1))
    ):
        yield Draft(start, end, ("what is the meaning of", *range(start + 2, end - 1)))
    elif said[:3] == ["how", "much", "does"] and said[-2] == "cost":
        thing = range(start + 3, end - 1)
        if _is_one_thing(parse, thing):
            yield Draft(start, end, ("what is the cost of", *thing))


def _is_one_thing(parse: Parse, span: range) -> bool:
    """Whether a phrase is one noun with what stands before it."""
    if not span or len(span) > _LONGEST:
        return False
    tags = [parse.tokens[number].tag for number in span]
    first = parse.tokens[span.start]
    is_named = first.small in _DETERMINERS or first.tag in {"NN", "NNP", "JJ"}
    return is_named and tags[-1] in {"NN", "NNP"} and set(tags) <= {"DT", "JJ", "NN", "NNP", "CD", "POS"}


def _number(parse: Parse, sentence: range, end: int, said: list[str]) -> Iterator[Draft]:
    """Yield "what is the number of people that live there" for "how many people live there"."""
    if said[:2] != ["how", "many"]:
        return
    verb = next((number for number in sentence if parse.tokens[number].tag in {"VBP", "VBD", "MD"}), None)
    if verb is None or verb + 2 >= end:
        return
    things = [parse.tokens[number].tag for number in range(sentence.start + 2, verb)]
    token, following = parse.tokens[verb], parse.tokens[verb + 1]
    # "How many people did they see", "how many people are there": the subject comes later.
    is_subject = token.universal_tag == "VERB" or (
        token.small in {"have", "are", "were", "had"} and following.tag in {"VBN", "VBG"}
    )
    if is_subject and things[-1:] == ["NNS"] and set(things) <= {"JJ", "NN", "NNS"} and token.small != "did":
        be = "was" if token.tag == "VBD" else "is"
        pieces = ("what", be, "the number of", *range(sentence.start + 2, verb), "that", *range(verb, end))
        yield Draft(sentence.start, end, pieces)


QUESTION_NOMINAL = Transformation(
    name="question-nominal",
    summary="“how do A and B differ” and “what is the difference”",
    find=change_noun_or_verb,
)
