"""Clefts of questions: "what did they buy?" becomes "what is it that they bought?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.questions import Question, in_clause_order, question_of, questions
from builder.language.clauses.statements import follows_a_stop
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation

# "How is it that …" wonders rather than asks; of "it" and "there" nothing is set apart.
_NOT_SET_APART = frozenset({"it", "there", "this", "that"})


def ask_what_it_is(parse: Parse) -> Iterator[Draft]:
    """Yield "what is it that …" for "what …"."""
    for question in questions(parse):
        clause = in_clause_order(parse, question)
        if clause is None or not _can_be_cleft(parse, question):
            continue
        be = "was" if question.is_past(parse) else "is"
        yield Draft(question.start, question.end, (*question.asked, be, "it that", *clause))
    yield from _who_does(parse)


def _can_be_cleft(parse: Parse, question: Question) -> bool:
    said = [parse.tokens[number] for number in question.asked]
    return (
        bool(said)
        and question.root.universal_tag == "VERB"
        and not question.asks_what_something_is
        and question.subject.small not in _NOT_SET_APART
        and not any(token.small in {"how", "way"} or token.tag in {"NNS", "NNPS"} for token in said)
    )


def _who_does(parse: Parse) -> Iterator[Draft]:
    """Yield "what plant is it that grows here" for "what plant grows here", whatever the parser says."""
    for sentence in parse.sentences:
        first, end = parse.tokens[sentence.start], sentence.stop - 1
        is_asked = first.small in {"what", "which", "who"} and parse.tokens[end].text == "?"
        verb = _first_finite(parse, sentence) if is_asked and follows_a_stop(parse, sentence) else None
        if verb is None or verb.number + 2 >= end or question_of(parse, sentence):
            continue
        following = parse.tokens[verb.number + 1]
        is_verb = verb.universal_tag == "VERB" and verb.small not in {"do", "does", "did"}
        is_helper = verb.universal_tag == "AUX" and verb.small not in {"do", "does", "did"}
        # "What is written" asks for a subject, "what language is it written in" does not.
        if (is_verb and following.tag != "PRP") or (
            is_helper and following.tag in {"VBN", "VBG", "VB", "RB"}
        ):
            be = "was" if verb.tag == "VBD" or verb.small in {"was", "were", "had"} else "is"
            pieces = (*range(sentence.start, verb.number), be, "it that", *range(verb.number, end))
            yield Draft(sentence.start, end, pieces)


def _first_finite(parse: Parse, sentence: range) -> Token | None:
    """Return the finite verb after what is asked for, if that is one thing."""
    for number in sentence[1:9]:
        token = parse.tokens[number]
        if token.tag in {"VBZ", "VBD", "VBP", "MD"}:
            return token
        is_plural_inside = token.tag == "NNS" and number > sentence.start + 2
        if token.tag not in {"NN", "NNP", "JJ", "IN", "DT", "POS"} and not is_plural_inside:
            return None
    return None


QUESTION_CLEFT = Transformation(
    name="question-cleft", summary="“what is it that …” for “what …”", find=ask_what_it_is
)
