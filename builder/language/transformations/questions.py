"""Indirect questions: "who wrote it?" becomes "can you tell me who wrote it?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.questions import in_clause_order, question_of
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

OPENINGS = ("can you tell me", "could you tell me", "do you know")


def ask_indirectly(parse: Parse) -> Iterator[Draft]:
    """Yield a text that is one question with a question word as a question whether one can answer it."""
    if len(parse.sentences) != 1:
        return
    (sentence,) = parse.sentences
    question = question_of(parse, sentence)
    if question is None or not question.asked or parse.children(question.root.number, "advcl"):
        return
    clause = in_clause_order(parse, question)
    if clause is None or any(parse.tokens[number].text == "," for number in sentence):
        return
    for opening in OPENINGS:
        yield Draft(question.start, question.end, (opening, *question.asked, *clause))


INDIRECT_QUESTION = Transformation(
    name="indirect-question",
    summary="a question becomes one whether it can be answered",
    find=ask_indirectly,
    kind="frame",
)
