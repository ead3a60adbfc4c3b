"""Voice of questions: "what did the firm buy?" and "what was bought by the firm?"; "who wrote it?"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.questions import Question, questions
from builder.language.clauses.statements import is_plural
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import Paradigm, paradigm_of

_BE = {(False, False): "is", (False, True): "are", (True, False): "was", (True, True): "were"}
_NAMED = frozenset({"NN", "NNS", "NNP", "NNPS"})
_BOUND = ("iobj", "xcomp", "ccomp", "compound:prt", "advmod", "advcl")


def ask_passively(parse: Parse) -> Iterator[Draft]:
    """Yield questions in the passive voice."""
    for question in questions(parse):
        paradigm = _action(question.root)
        if paradigm is None or not paradigm.forms[3] or parse.children(question.root.number, *_BOUND):
            continue
        if question.asks_for_subject:
            yield from _by_whom(parse, question, paradigm)
        elif question.helper and question.helper.small in {"do", "does", "did"}:
            yield from _what_was_done(parse, question, paradigm)


def _by_whom(parse: Parse, question: Question, paradigm: Paradigm) -> Iterator[Draft]:
    """Yield "by whom was the book written" for "who wrote the book"."""
    verb, thing = question.root, parse.child(question.root.number, "obj")
    span = parse.span(thing.number) if thing else None
    if thing is None or span is None or verb.number != question.asked.stop or span.start != verb.number + 1:
        return
    plural = is_plural(parse, thing)
    if plural is None or thing.tag not in _NAMED or verb.tag not in {"VBD", "VBZ"}:
        return
    asker: tuple[Piece, ...] = ("whom",) if question.asks(parse, "who") else tuple(question.asked)
    be = _BE[verb.tag == "VBD", plural]
    rest = range(span.stop, question.end)
    yield Draft(question.start, question.end, ("by", *asker, be, *span, paradigm.forms[3], *rest))


def _what_was_done(parse: Parse, question: Question, paradigm: Paradigm) -> Iterator[Draft]:
    """Yield "what was bought by the firm" for "what did the firm buy"."""
    asked = [parse.tokens[number] for number in question.asked]
    thing = next((token for token in asked if token.relation == "obj"), None)
    is_clear = (
        thing is not None
        and thing.head == question.root.number
        and asked[0].small in {"what", "which"}
        and question.subject.tag in _NAMED
        and question.root.number == question.subject_span.stop
        and len(question.subject_span) <= 8
    )
    if thing is None or not is_clear:
        return
    be = _BE[question.is_past(parse), thing.tag == "NNS"]
    rest = range(question.root.number + 1, question.end)
    pieces = (*question.asked, be, paradigm.forms[3], "by", *question.subject_span, *rest)
    yield Draft(question.start, question.end, pieces)


def ask_actively(parse: Parse) -> Iterator[Draft]:
    """Yield "what did the firm buy" for "what was bought by the firm"."""
    for sentence in parse.sentences:
        roots = parse.roots(sentence)
        if len(roots) != 1 or parse.tokens[sentence.stop - 1].text != "?":
            continue
        verb, end = roots[0], sentence.stop - 1
        asked, be = parse.child(verb.number, "nsubj"), parse.child(verb.number, "aux")
        span = parse.span(asked.number) if asked else None
        paradigm = paradigm_of(verb.small, "VBN")
        if span is None or be is None or paradigm is None or be.small not in {"is", "are", "was", "were"}:
            continue
        agent = _agent(parse, verb)
        is_clear = (
            span.start == sentence.start
            and parse.tokens[span.start].small in {"what", "which"}
            and (be.number, verb.number) == (span.stop, span.stop + 1)
            and verb.tag == "VBN"
        )
        by = parse.span(agent.number) if agent else None
        if agent is None or by is None or not is_clear or by.start != verb.number + 1:
            continue
        plural = is_plural(parse, agent)
        do = "did" if be.small in {"was", "were"} else "do" if plural else "does"
        if plural is not None:
            pieces = (*span, do, *by[1:], paradigm.forms[0], *range(by.stop, end))
            yield Draft(sentence.start, end, pieces)


def _agent(parse: Parse, verb: Token) -> Token | None:
    agents = [
        token
        for token in parse.children(verb.number, "obl")
        if token.tag in _NAMED and any(case.small == "by" for case in parse.children(token.number, "case"))
    ]
    if len(agents) != 1:
        return None
    said = [parse.tokens[number] for number in parse.subtree(agents[0].number)]
    # "By the firm in 1990": the second phrase may belong to the verb.
    is_alone = sum(token.tag == "IN" for token in said) == 1 and not any(token.text == "," for token in said)
    return agents[0] if is_alone else None


def _action(verb: Token) -> Paradigm | None:
    paradigm = paradigm_of(verb.small, verb.tag)
    is_action = paradigm is not None and paradigm.part_of_speech == "verb"
    return paradigm if paradigm and is_action and paradigm.forms[0] in words("actions") else None


QUESTION_PASSIVE = Transformation(
    name="question-passive",
    summary="a question in the active voice is asked in the passive",
    find=ask_passively,
    undoes="question-active",
)
QUESTION_ACTIVE = Transformation(
    name="question-active",
    summary="a question in the passive voice is asked in the active",
    find=ask_actively,
    undoes="question-passive",
)
