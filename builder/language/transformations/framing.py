"""Frames that assert what follows and nothing else: "it is the case that …", "the question is: …"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.statements import body_end, is_plain, statement_of
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

# A clause follows.
CLAUSE_FRAMES = (
    "it is the case that",
    "the fact is that",
    "the thing is that",
    "the point is that",
    "it so happens that",
    "it turns out that",
    "it can be said that",
    "it has to be said that",
    "it should be said that",
    "what is to be said is that",
    "the fact of the matter is that",
    "the bottom line is that",
    "what it comes down to is that",
    "the first thing to say is that",
    "one thing to be said is that",
    "what should be said here is that",
    "the long and the short of it is that",
)
# A comma and a clause follow.
ADVERB_FRAMES = (
    "in fact",
    "as it happens",
    "as it turns out",
    "as a matter of fact",
)
# A comma stands before them, at the end of the sentence.
CLOSING_FRAMES = ("in fact", "as it happens", "as a matter of fact", "it turns out")
# A comma follows, and then any text that asserts something, whole sentences or not.
TEXT_FRAMES = ("in short", "all in all", "in a nutshell", "to sum up", "simply put", "to put it briefly")
QUESTION_FRAMES = (
    "the question is",
    "here is the question",
    "here is my question",
    "tell me",
    "let me ask you this",
    "what I want to know is this",
)
# What such a word begins is bound to the sentence before, and a frame would cut it off.
_BOUND = frozenset(
    {
        "so",
        "then",
        "yet",
        "still",
        "also",
        "however",
        "instead",
        "otherwise",
        "thus",
        "therefore",
        "or",
        "nor",
        "rather",
    }
)
_OPENERS = frozenset({"CCONJ", "PUNCT", "INTJ", "SYM", "X"})
_MOST_PIECES_BEFORE_CLOSING = 22


def frame_statements(parse: Parse) -> Iterator[Draft]:
    """Yield each statement in each frame."""
    for sentence in parse.sentences:
        if not _can_be_framed(parse, sentence):
            continue
        start, end = sentence.start, body_end(parse, sentence)
        body: list[Piece] = list(range(start, end))
        # "It turns out that I think" is not said of oneself.
        for frame in CLAUSE_FRAMES if parse.tokens[start].small != "i" else ():
            yield Draft(start, end, (frame, *body))
        for frame in ADVERB_FRAMES:
            yield Draft(start, end, (frame, ",", *body))
        if len(body) <= _MOST_PIECES_BEFORE_CLOSING and end == sentence.stop - 1:
            for frame in CLOSING_FRAMES:
                yield Draft(start, end, (*body, ",", frame))


def _can_be_framed(parse: Parse, sentence: range) -> bool:
    first, second = (parse.tokens[number] for number in sentence[:2]) if len(sentence) > 1 else (None, None)
    if first is None or second is None or first.small in _BOUND or first.tag == "UH":
        return False
    if f"{first.small} {second.small}" in {"as if", "as though", "at least"}:
        return False
    if not is_plain(parse, sentence):
        return False
    return statement_of(parse, sentence) is not None or _says_there_is(parse, sentence)


def _says_there_is(parse: Parse, sentence: range) -> bool:
    there, be = parse.tokens[sentence.start], parse.tokens[min(sentence.start + 1, sentence.stop - 1)]
    return there.tag == "EX" and be.small in {"is", "are", "was", "were", "'s"} and is_plain(parse, sentence)


def frame_texts(parse: Parse) -> Iterator[Draft]:
    """Yield a text that cannot be framed otherwise behind words that announce how things are on the whole."""
    if not parse.sentences:
        return
    sentence = parse.sentences[0]
    first = parse.tokens[sentence.start]
    is_asking = any(token.text == "?" for token in parse.tokens)
    # "LOS GATOS, Calif.": where a news item comes from.
    is_headed = first.text.isupper() and len(first.text) > 2
    is_bound = is_headed or first.small in _BOUND or first.universal_tag in _OPENERS or first.tag == "WDT"
    if is_asking or is_bound or not first.text[0].isalpha() or _can_be_framed(parse, sentence):
        return
    for frame in TEXT_FRAMES:
        yield Draft(sentence.start, sentence.stop, (frame, ",", *sentence))


def frame_questions(parse: Parse) -> Iterator[Draft]:
    """Yield a text that is one question after each announcement."""
    if len(parse.sentences) != 1:
        return
    (sentence,) = parse.sentences
    marks = [parse.tokens[number].text for number in range(body_end(parse, sentence), sentence.stop)]
    if marks != ["?"] or parse.tokens[sentence.start].universal_tag in _OPENERS:
        return
    for frame in QUESTION_FRAMES:
        yield Draft(sentence.start, sentence.stop, (frame, ":", *sentence))


FRAMING = Transformation(
    name="framing",
    summary="a frame around a statement that asserts it and nothing else",
    find=frame_statements,
    weight=1.0,
    kind="frame",
)
TEXT_FRAMING = Transformation(
    name="text-framing",
    summary="an adverbial before a text that may stand before any",
    find=frame_texts,
    weight=0.25,
    kind="frame",
)
QUESTION_FRAMING = Transformation(
    name="question-framing",
    summary="a question that is announced as one",
    find=frame_questions,
    weight=1.0,
    kind="frame",
)
