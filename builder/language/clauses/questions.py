"""Finds the plain questions of a text: what is asked for, helping verb, subject, and what follows."""

from collections.abc import Iterator
from typing import NamedTuple

from builder.language.clauses.draft import Piece
from builder.language.clauses.statements import follows_a_stop
from builder.language.parser.parse import Parse, Token
from builder.language.words.inflected_forms import paradigm_of

ASKING = frozenset({"who", "whom", "what", "which", "when", "where", "how", "why", "whose"})
BE = frozenset({"is", "are", "was", "were"})
PAST = frozenset({"was", "were", "did", "had"})
# The place of a form in a verb's paradigm.
_PLACES = {"did": 2, "does": 1, "do": 0}
_HELPERS = BE | {"has", "have", "had", "can", "could", "will", "would", "should", "might", "must", *_PLACES}
_HAVE = frozenset({"has", "have", "had"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP"})
_NAMING = _NOUNS | {"DT", "JJ", "JJS", "CD", "POS", "PRP$"}
_REFUSED_MARKS = frozenset({'"', "“", "”", "``", "''", ":", ";", "(", ")"})


class Question(NamedTuple):
    """A question; `asked` is empty where yes or no is asked for, `end` is the number of its mark."""

    sentence: range
    asked: range
    # None where the subject is asked for: "who wrote it?".
    helper: Token | None
    subject: Token
    subject_span: range
    root: Token
    end: int

    @property
    def start(self) -> int:
        """The number of its first piece."""
        return self.sentence.start

    @property
    def asks_for_subject(self) -> bool:
        """Whether the order is that of a statement."""
        return self.helper is None

    @property
    def asks_what_something_is(self) -> bool:
        """Whether what is asked for is the predicate itself: "what is it?"."""
        return self.root.number in self.asked

    def asks(self, parse: Parse, *words: str) -> bool:
        """Whether what is asked for is one of these words and no longer phrase."""
        return len(self.asked) == 1 and parse.tokens[self.asked.start].small in words

    def is_past(self, parse: Parse) -> bool:
        """Whether the finite verb is in the past tense."""
        if self.helper is not None:
            return self.helper.small in PAST
        return parse.tokens[self.asked.stop].tag == "VBD"


def questions(parse: Parse) -> Iterator[Question]:
    """Yield the sentences that are clearly questions."""
    for sentence in parse.sentences:
        found = question_of(parse, sentence)
        if found:
            yield found


def question_of(parse: Parse, sentence: range) -> Question | None:
    """Return a sentence as a question if it clearly is one."""
    found = _by_tree(parse, sentence)
    if found is None or in_clause_order(parse, found) is None:
        return _by_words(parse, sentence) or found
    return found


def _is_whole(parse: Parse, sentence: range) -> bool:
    """Whether a sentence ends in a question mark, begins after a stop, and has no quotation or list in it."""
    return (
        len(sentence) >= 4
        and parse.tokens[sentence.stop - 1].text == "?"
        and follows_a_stop(parse, sentence)
        and not any(parse.tokens[number].text in _REFUSED_MARKS for number in sentence)
    )


def _by_words(parse: Parse, sentence: range) -> Question | None:
    """Return a question with a clear order of words, where the parser has lost its way.

    What is asked for, a helping verb, a subject without a verb, and the verb in the form that follows.
    """
    if not _is_whole(parse, sentence) or "," in parse.words(sentence):
        return None
    end = sentence.stop - 1
    helper = next((token for token in _tokens(parse, sentence[:8]) if token.small in _HELPERS), None)
    if helper is None or not _can_be_asked(parse, range(sentence.start, helper.number)):
        return None
    rest = range(helper.number + 1, end)
    verb = next((token for token in _tokens(parse, rest) if token.tag.startswith("VB")), None)
    # Taggers take participles for past forms and the other way round.
    wanted = {"VBN", "VBG", "VBD"} if helper.small in BE | _HAVE else {"VB", "VBP"}
    if verb is None or verb.tag not in wanted or verb.universal_tag != "VERB":
        return None
    span = range(helper.number + 1, verb.number)
    inside = _tokens(parse, span)
    is_subject = (
        bool(inside)
        and inside[-1].tag in _NOUNS
        and inside[0].tag in _NAMING - {"POS"}
        and all(token.tag in _NAMING | {"IN"} for token in inside)
    )
    asked = range(sentence.start, helper.number)
    return Question(sentence, asked, helper, inside[-1], span, verb, end) if is_subject else None


def _tokens(parse: Parse, numbers: range) -> list[Token]:
    return [parse.tokens[number] for number in numbers]


def _can_be_asked(parse: Parse, asked: range) -> bool:
    """Whether words are nothing, or a question word with what belongs to it."""
    tokens = _tokens(parse, asked)
    has_word = not tokens or any(token.small in ASKING for token in tokens[:2])
    return has_word and all(token.tag in _NAMING | {"WP", "WDT", "WRB", "IN", "TO"} for token in tokens)


def _by_tree(parse: Parse, sentence: range) -> Question | None:
    """Return a question whose tree is clear."""
    roots = parse.roots(sentence)
    if not _is_whole(parse, sentence) or len(roots) != 1:
        return None
    (root,) = roots
    opening = [token.small for token in _tokens(parse, sentence[:3])]
    subject = _subject(parse, root)
    if subject is None or parse.children(root.number, "parataxis", "expl", "csubj", "conj"):
        return None
    if opening[0] in {"what", "who"} and opening[1] in BE and subject.number == sentence.start:
        return _identity(parse, sentence, root)
    span = parse.span(subject.number)
    if span is None or span.stop >= sentence.stop:
        return None
    if span.start == sentence.start:
        is_asked = opening[0] in ASKING and _asks_for_subject(parse, root, span)
        return Question(sentence, span, None, subject, span, root, sentence.stop - 1) if is_asked else None
    return _with_helper(parse, sentence, subject, span, root)


def _with_helper(parse: Parse, sentence: range, subject: Token, span: range, root: Token) -> Question | None:
    """Return a question whose subject follows a helping verb."""
    helper = _helper(parse, root)
    if helper is None or not _follows(parse, span, helper):
        return None
    asked = range(sentence.start, helper.number)
    has_word = not asked or any(token.small in ASKING for token in _tokens(parse, sentence[:2]))
    return Question(sentence, asked, helper, subject, span, root, sentence.stop - 1) if has_word else None


def _subject(parse: Parse, root: Token) -> Token | None:
    """Return the subject; of two, the one after the helping verb: "who did he work for"."""
    subjects = parse.children(root.number, "nsubj")
    if len(subjects) == 2:
        helper = _helper(parse, root)
        return subjects[1] if helper and subjects[0].number < helper.number < subjects[1].number else None
    return subjects[0] if len(subjects) == 1 else None


def _identity(parse: Parse, sentence: range, noun: Token) -> Question | None:
    """Return "who was the king", where parsers may take "who" for the subject."""
    asked, be, end = parse.tokens[sentence.start], parse.tokens[sentence.start + 1], sentence.stop - 1
    span = range(sentence.start + 2, end)
    covered = [number for number in parse.subtree(noun.number) if number in span]
    is_clear = be.head == noun.number and noun.tag in {"NN", "NNS", "NNP"} and covered == list(span)
    return (
        Question(sentence, range(asked.number, be.number), be, noun, span, asked, end) if is_clear else None
    )


def in_clause_order(parse: Parse, question: Question) -> tuple[Piece, ...] | None:
    """Return all but what is asked for, in the order of a statement; None if a form is not known."""
    span, helper, root = question.subject_span, question.helper, question.root
    if helper is None:
        return tuple(range(question.asked.stop, question.end))
    if span.start == helper.number + 2:
        # "Why don't they": the negation goes with its verb.
        return (*span, helper.number, helper.number + 1, *range(span.stop, question.end))
    if helper.small not in _PLACES:
        return (*span, helper.number, *range(span.stop, question.end))
    between = range(span.stop, root.number)
    has_adverbs_only = root.number >= span.stop and all(
        parse.tokens[number].tag == "RB" for number in between
    )
    form = _did(root, helper) if has_adverbs_only else None
    return (*span, *between, form, *range(root.number + 1, question.end)) if form else None


def _follows(parse: Parse, span: range, helper: Token) -> bool:
    is_negated = parse.tokens[helper.number + 1].small == "n't"
    return span.start == helper.number + (2 if is_negated else 1)


def _asks_for_subject(parse: Parse, root: Token, span: range) -> bool:
    """Whether what is asked for does what the verb says: its order is that of a statement."""
    verb = parse.tokens[span.stop]
    if verb == root:
        return (
            verb.tag in {"VBZ", "VBD", "VBP"} and verb.universal_tag == "VERB" and verb.small not in _PLACES
        )
    names_it = len(span) > 1 and any(parse.tokens[number].tag in {"NN", "NNS"} for number in span)
    return names_it and verb.head == root.number and verb.small in BE


def _helper(parse: Parse, root: Token) -> Token | None:
    """Return the verb that stands before the subject."""
    helpers = parse.children(root.number, "aux", "cop")
    return helpers[0] if helpers and helpers[0].small in _HELPERS else None


def _did(root: Token, helper: Token) -> str | None:
    """Return the form of a verb that says what it says with "do", "does" or "did"."""
    paradigm = paradigm_of(root.small, "VB") if root.tag in {"VB", "VBP"} else None
    return (paradigm.forms[_PLACES[helper.small]] or None) if paradigm else None
