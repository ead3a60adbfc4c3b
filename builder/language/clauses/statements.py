"""Finds the plain statements of a text: subject, finite verb, and what closes the sentence."""

from collections.abc import Iterator
from typing import NamedTuple

from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token

FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})
_OPENERS = frozenset({"CCONJ", "PUNCT", "INTJ"})
_LINKS = frozenset({"and", "but", "so", "yet"})
_ENDS = frozenset({".", "!", "...", "…", ". . ."})
_QUOTES = frozenset('"“”') | {"``", "''"}


class Statement(NamedTuple):
    """A declarative sentence; `end` is the number of the first of its closing marks."""

    sentence: range
    root: Token
    subject: Token
    subject_span: range
    finite: Token
    end: int

    @property
    def start(self) -> int:
        """The number of its first piece."""
        return self.sentence.start

    @property
    def begins_with_subject(self) -> bool:
        """Whether nothing stands before the subject."""
        return self.subject_span.start == self.sentence.start


def statements(parse: Parse) -> Iterator[Statement]:
    """Yield the sentences that are clearly statements."""
    for sentence in parse.sentences:
        found = statement_of(parse, sentence)
        if found:
            yield found


def embedded_statements(parse: Parse) -> Iterator[Statement]:
    """Yield the clauses inside of sentences that clearly are statements, without what opens them."""
    for sentence in parse.sentences:
        if not is_plain(parse, sentence):
            continue
        for number in sentence:
            clause = parse.tokens[number]
            if clause.relation in {"advcl", "ccomp", "conj"} and clause.universal_tag == "VERB":
                found = _clause_of(parse, clause)
                if found:
                    yield found


def _clause_of(parse: Parse, clause: Token) -> Statement | None:
    subject, finite, whole = (
        parse.child(clause.number, "nsubj"),
        finite_of(parse, clause),
        parse.span(clause.number),
    )
    span = parse.span(subject.number) if subject else None
    if subject is None or finite is None or whole is None or span is None or span.stop > finite.number:
        return None
    opening = {parse.tokens[number].relation for number in range(whole.start, span.start)}
    end = whole.stop
    while end > span.stop and parse.tokens[end - 1].universal_tag == "PUNCT":
        end -= 1
    is_clear = opening <= {"mark", "cc", "punct"} and subject.tag not in {"WP", "WDT", "EX"}
    if not is_clear or not agrees(parse, subject, finite):
        return None
    return Statement(range(span.start, end), clause, subject, span, finite, end)


def body_end(parse: Parse, sentence: range) -> int:
    """Return the number of the first of the marks that close a sentence."""
    end = sentence.stop
    while end > sentence.start and parse.tokens[end - 1].universal_tag == "PUNCT":
        end -= 1
    return end


def is_plain(parse: Parse, sentence: range, *, may_link: bool = False) -> bool:
    """Whether a sentence has one root, begins with a word, is not quoted, does not ask and is cut right."""
    end = body_end(parse, sentence)
    following = range(sentence.stop, sentence.stop + 1)
    is_last = sentence.stop == len(parse.tokens)
    if not follows_a_stop(parse, sentence) or not (is_last or follows_a_stop(parse, following)):
        return False
    first = parse.tokens[sentence.start]
    if end - sentence.start < 2 or (
        first.universal_tag in _OPENERS and not (may_link and first.small in _LINKS)
    ):
        return False
    if _has_dateline(parse, sentence) or "\\" in parse.text_of(sentence):
        return False
    marks = [parse.tokens[number].text for number in range(end, sentence.stop)]
    has_quotes = any(parse.tokens[number].text in _QUOTES for number in sentence)
    return len(parse.roots(sentence)) == 1 and all(mark in _ENDS for mark in marks) and not has_quotes


def _has_dateline(parse: Parse, sentence: range) -> bool:
    """Whether capitals and a second beginning open a sentence: "NEW YORK A judge says"."""
    words_of_start = [parse.tokens[number] for number in sentence[:5]]
    for place, token in enumerate(words_of_start[1:], start=1):
        if token.tag in {"DT", "PRP", "IN"} and token.text[0].isupper() and token.text != "I":
            return all(other.text.isupper() or other.text == "," for other in words_of_start[:place])
    return False


def follows_a_stop(parse: Parse, sentence: range) -> bool:
    """Whether a sentence is the first or begins after a mark that ends one: parsers cut elsewhere too."""
    if sentence.start == 0:
        return True
    stop, first = parse.tokens[sentence.start - 1], parse.tokens[sentence.start].text[0]
    before = parse.tokens[sentence.start - 2].small if sentence.start > 1 else ""
    is_begun = first.isupper() or parse.text == parse.text.lower()
    if stop.text not in {".", "!", "?"} or not is_begun:
        return False
    # Of dots that trail off, only those at the very beginning leave the sentence whole.
    if before == ".":
        return all(token.text == "." for token in parse.tokens[: sentence.start])
    # "Philip K . Dick", "mr . deeds".
    return stop.text != "." or not (len(before) == 1 or before in words("abbreviations"))


def have_subjects(parse: Parse, sentence: range) -> bool:
    """Whether every finite verb of a sentence has a subject, or shares that of another verb."""
    for number in sentence:
        token = parse.tokens[number]
        if token.tag in FINITE:
            head = parse.tokens[token.head] if token.relation.startswith(("aux", "cop")) else token
            has_subject = bool(parse.children(head.number, "nsubj", "csubj", "expl"))
            if not has_subject and head.relation != "conj":
                return False
    return True


def finite_of(parse: Parse, predicate: Token) -> Token | None:
    """Return the finite verb of a predicate: its first auxiliary, its copula or itself."""
    verbs = [*parse.children(predicate.number, "aux", "cop")]
    if predicate.universal_tag in {"VERB", "AUX"}:
        verbs.append(predicate)
    first = min(verbs, default=None)
    return first if first and first.tag in FINITE else None


def statement_of(parse: Parse, sentence: range) -> Statement | None:
    """Return a sentence as a statement if it clearly is one."""
    if not is_plain(parse, sentence, may_link=True):
        return None
    (root,) = parse.roots(sentence)
    if parse.tokens[sentence.start].small in _LINKS:
        # "But the film works": all that follows is a statement.
        sentence = sentence[1:]
    subject = parse.child(root.number, "nsubj")
    finite = finite_of(parse, root)
    if subject is None or finite is None or parse.children(root.number, "csubj", "expl"):
        return None
    span = parse.span(subject.number)
    if not all(
        _may_precede(parse, child, subject)
        for child in parse.children(root.number)
        if child.number >= sentence.start
    ):
        return None
    if span is None or span.stop > finite.number or subject.tag in {"WP", "WDT", "EX"}:
        return None
    if not agrees(parse, subject, finite):
        return None
    return Statement(sentence, root, subject, span, finite, body_end(parse, sentence))


def _may_precede(parse: Parse, child: Token, subject: Token) -> bool:
    """Whether what depends on a root may stand before the subject of a statement."""
    if child.number >= subject.number or child.relation in {"advmod", "advcl", "punct", "discourse"}:
        return True
    has_preposition = bool(parse.children(child.number, "case"))
    return child.relation.startswith("obl") and (has_preposition or child.tag in {"NNP", "CD"})


def is_plural(parse: Parse, noun: Token) -> bool | None:
    """Whether a noun phrase takes a plural verb; None where that is not clear."""
    if any(
        token.small == "and"
        for number in parse.subtree(noun.number)
        for token in [parse.tokens[number]]
        if token.relation == "cc" and parse.tokens[token.head].head == noun.number
    ):
        return True
    if noun.tag in {"NNS", "NNPS"} or noun.small in {
        "they",
        "we",
        "these",
        "those",
        "you",
        "both",
        "many",
        "few",
    }:
        return True
    if noun.tag in {"NN", "NNP"} or noun.small in {
        "it",
        "he",
        "she",
        "this",
        "that",
        "everything",
        "everyone",
        "one",
    }:
        return False
    return None


def agrees(parse: Parse, subject: Token, finite: Token) -> bool:
    """Whether subject and verb agree in number; where they do not, the parse is in doubt."""
    plural = is_plural(parse, subject)
    if plural is None or finite.tag in {"VBD", "MD"}:
        return finite.small not in {"was", "were"} or plural is None or (finite.small == "were") == plural
    return (finite.tag == "VBP") == plural or subject.small == "i"
