"""Order of questions: "who was the first king of Spain?" becomes "the first king of Spain was who?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.questions import BE, Question, in_clause_order, questions
from builder.language.clauses.statements import follows_a_stop
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LONGEST = 16
_DEFINITE = frozenset({"the", "his", "her", "their", "its", "this"})
# Quizzes ask so; somebody who asks about himself or the reader does not.
_PERSONAL = frozenset({"i", "you", "we", "my", "your", "it", "one", "they", "there", "this", "that"})


def ask_last(parse: Parse) -> Iterator[Draft]:
    """Yield "the N is what" for "what is the N", "it was built when" for "when was it built"."""
    for sentence in parse.sentences:
        if _LONGEST >= len(sentence) > 4 and follows_a_stop(parse, sentence):
            yield from _identity(parse, sentence)
    for question in questions(parse):
        asked = list(parse.words(question.asked))
        is_clear = (
            bool(asked)
            and question.helper is not None
            and not question.asks_what_something_is
            and not {"why", "how", "whose"}.intersection(asked)
            and len(asked) <= 4
            and not {",", "if", "when"}.intersection(parse.words(range(question.asked.stop, question.end)))
            and not _PERSONAL.intersection(parse.words(question.subject_span))
            and question.end - question.start <= _LONGEST
        )
        if is_clear and question.root.universal_tag == "VERB" and parse.tokens[question.end - 1].tag != "IN":
            yield from _event(parse, question)


def _identity(parse: Parse, sentence: range) -> Iterator[Draft]:
    """Yield "the first king was who", whatever of both the parser takes for the subject."""
    asked, be, first = (parse.tokens[number] for number in sentence[:3])
    span = range(sentence.start + 2, sentence.stop - 1)
    last, rest = parse.tokens[span.stop - 1], [parse.tokens[number] for number in span]
    n_clauses = sum(token.tag in {"VBZ", "VBD", "VBP", "MD"} for token in rest)
    n_openers = sum(token.tag in {"WDT", "WP"} or token.small == "that" for token in rest)
    is_clear = (
        asked.small in {"what", "who"}
        and be.small in BE
        and parse.tokens[span.stop].text == "?"
        and (
            first.small in _DEFINITE
            or rest[1].small == "example"
            or (first.tag == "NNP" and rest[1].tag in {"POS", "NN"})
        )
        and n_clauses <= n_openers
        and last.tag in {"NN", "NNS", "NNP", "CD"}
        and any(token.tag in {"NN", "NNS"} for token in rest)
        and len(span) >= 3
        and not {",", "and", "or", "between", "best", "way", "you", "i", ":", '"'}.intersection(
            parse.words(span)
        )
    )
    if is_clear:
        yield Draft(sentence.start, span.stop, (*span, be.number, asked.number))


def _event(parse: Parse, question: Question) -> Iterator[Draft]:
    """Yield what is asked for where the answer would stand: after the verb, or last."""
    clause = in_clause_order(parse, question)
    if clause is None:
        return
    thing = [token for token in parse.children(question.root.number, "obj") if token.number in question.asked]
    if not thing:
        is_adverbial = parse.tokens[question.start].small in {
            "when",
            "where",
            "in",
            "on",
            "at",
            "to",
            "from",
            "by",
        }
        if is_adverbial and not parse.children(question.root.number, "advcl", "xcomp", "ccomp"):
            yield Draft(question.start, question.end, (*clause, *question.asked))
        return
    n_after = question.end - question.root.number - 1
    place = len(clause) - n_after
    pieces: tuple[Piece, ...] = (*clause[:place], *question.asked, *clause[place:])
    if not parse.children(question.root.number, "xcomp", "compound:prt", "advmod"):
        yield Draft(question.start, question.end, pieces)


QUESTION_ORDER = Transformation(
    name="question-order",
    summary="what is asked for stands where the answer would",
    find=ask_last,
    weight=2.0,
)
