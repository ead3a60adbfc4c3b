"""Existence in questions: "what are some good films?" becomes "what good films are there?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import follows_a_stop
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_REFUSED = frozenset({",", ":", ";", '"', "(", "that", "which", "who", "and", "or", "else", "if", "when"})
_LONGEST = 16


def change(parse: Parse) -> Iterator[Draft]:
    """Yield questions for what there is in another form."""
    for sentence in parse.sentences:
        said, end = list(parse.words(sentence)), sentence.stop - 1
        is_whole = said[-1] == "?" and 5 < len(said) <= _LONGEST and follows_a_stop(parse, sentence)
        if not is_whole or _REFUSED.intersection(said):
            continue
        start = sentence.start
        if said[:3] == ["what", "are", "some"] and said[3] != "of":
            noun = _noun_end(parse, range(start + 3, end))
            if noun and parse.tokens[noun - 1].tag == "NNS":
                yield Draft(start, end, ("what", *range(start + 3, noun), "are there", *range(noun, end)))
        elif said[0] in {"is", "are"} and said[1] == "there" and said[2] in {"a", "an", "any", "some"}:
            noun, has_noun = _noun_end(parse, range(start + 3, end)), said[2] != "some"
            plural = bool(noun) and parse.tokens[noun - 1].tag == "NNS"
            if noun and has_noun and plural == (said[0] == "are") and "there" not in said[2:]:
                do = "do" if plural else "does"
                yield Draft(start, end, (do, *range(start + 2, end), "exist"))
        elif said[:2] == ["how", "many"] and "there" in said:
            there = start + said.index("there")
            be = parse.tokens[there - 1]
            if be.small in {"are", "were"} and all(
                parse.tokens[number].tag in {"JJ", "NN", "NNS"} for number in range(start + 2, there - 1)
            ):
                opening = "what is the number of" if be.small == "are" else "what was the number of"
                yield Draft(start, end, (opening, *range(start + 2, there - 1), *range(there + 1, end)))


def _noun_end(parse: Parse, numbers: range) -> int:
    """Return the number after the noun that adjectives and nouns lead to; 0 if there is none."""
    stop = numbers.start
    while stop < numbers.stop and parse.tokens[stop].tag in {"JJ", "JJS", "JJR", "NN", "NNS", "NNP", "HYPH"}:
        stop += 1
    return stop if stop > numbers.start and parse.tokens[stop - 1].tag in {"NN", "NNS"} else 0


QUESTION_EXISTENCE = Transformation(
    name="question-existence",
    summary="“what good films are there” for “what are some good films”",
    find=change,
)
