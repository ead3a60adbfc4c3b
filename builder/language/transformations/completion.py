"""Completes a phrase that stands for a sentence: "a warm film" becomes "this is a warm film"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft, Piece
from builder.language.clauses.statements import body_end, finite_of, have_subjects, is_plain
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import paradigm_of

NOUN_OPENINGS: tuple[tuple[Piece, ...], ...] = (
    ("this is",),
    ("it is",),
    ("it", "'s"),
    ("here is",),
    ("what we have here is",),
    ("what you get here is",),
)
SUBJECTS: tuple[tuple[Piece, ...], ...] = (("it",), ("this",))
PREDICATE_OPENINGS: tuple[tuple[Piece, ...], ...] = (("it is",), ("it", "'s"))
# With these it is a clause, or depends on something that is not there.
_CLAUSAL = ("nsubj", "csubj", "cop", "aux", "expl", "mark", "vocative", "dislocated", "case")
_AFTER_PARTICIPLES = frozenset({"IN", "TO", "RB", "RP", ",", ".", ":", "CC"})
_LONGEST_PHRASE = 12
_ARTICLES = frozenset({"a", "an", "another", "that"})
# Not said of a film with "it is …", or not by themselves.
_NO_PREDICATES = frozenset(
    {"able", "such", "sure", "true", "enough", "more", "less", "much", "many", "few", "other", "same"}
)


def complete(parse: Parse) -> Iterator[Draft]:
    """Yield sentences made of the phrases that stand for one."""
    for sentence in parse.sentences:
        # In running text a long phrase is rather a sentence whose verb the parser has missed.
        is_phrase = len(sentence) <= _LONGEST_PHRASE or parse.text == parse.text.lower()
        if not is_plain(parse, sentence) or not is_phrase:
            continue
        (root,) = parse.roots(sentence)
        openings = _openings(parse, sentence, root)
        end = body_end(parse, sentence)
        for opening in openings:
            yield Draft(sentence.start, end, (*opening, *range(sentence.start, end)))


def _openings(parse: Parse, sentence: range, root: Token) -> tuple[tuple[Piece, ...], ...]:
    """Return what can stand before a phrase to make it a sentence."""
    if _lacks_subject(parse, sentence, root):
        return SUBJECTS
    has_clause = parse.children(root.number, *_CLAUSAL) or _has_other_clause(parse, root)
    if has_clause or not have_subjects(parse, sentence):
        return ()
    if _is_noun_phrase(parse, sentence, root):
        return NOUN_OPENINGS
    return PREDICATE_OPENINGS if _is_predicate(parse, sentence, root) else ()


def _lacks_subject(parse: Parse, sentence: range, root: Token) -> bool:
    """Whether a sentence begins with the finite verb that a subject should precede."""
    first = parse.tokens[sentence.start]
    if first.tag not in {"VBZ", "MD"} or parse.children(root.number, "nsubj", "csubj", "expl", "vocative"):
        return False
    following = parse.tokens[sentence.start + 1]
    is_helper = (
        first.universal_tag == "AUX"
        and first.head == root.number
        and following.tag in {"VB", "VBN", "VBG", "RB", "DT"}
    )
    is_verb = (
        first.tag == "VBZ" and first.number == root.number and paradigm_of(first.small, "VBZ") is not None
    )
    return is_verb or is_helper


def _has_other_clause(parse: Parse, root: Token) -> bool:
    """Whether a clause of its own depends on a phrase: "a fine film, it never …"."""
    return any(
        parse.children(child.number, "nsubj")
        for child in parse.children(root.number, "parataxis", "ccomp", "conj", "appos", "list", "obl", "nmod")
    )


def _is_noun_phrase(parse: Parse, sentence: range, root: Token) -> bool:
    """Whether a sentence is an article, what belongs to a noun, the noun, and what follows it."""
    first = parse.tokens[sentence.start]
    if first.small == "one" and parse.tokens[sentence.start + 1].small == "of":
        return root == first
    if first.small not in _ARTICLES or first.head != root.number or root.tag != "NN":
        return False
    if any(_may_be_its_verb(parse, child) for child in parse.children(root.number, "acl")):
        return False
    between = range(first.number + 1, root.number)
    return all(
        parse.tokens[number].universal_tag not in {"VERB", "AUX", "PRON", "SCONJ", "ADP"}
        or parse.tokens[number].tag in {"VBN", "VBG"}
        for number in between
    )


def _may_be_its_verb(parse: Parse, participle: Token) -> bool:
    """Whether what looks like a participle may have an object, and be a verb in the past: "banned trade"."""
    following = parse.tokens[participle.number + 1 : participle.number + 2]
    return participle.tag == "VBN" and any(token.tag not in _AFTER_PARTICIPLES for token in following)


def _is_predicate(parse: Parse, sentence: range, root: Token) -> bool:
    """Whether a sentence begins with an adjective or participle, which only adverbs may precede."""
    if root.tag not in {"JJ", "VBN"} or root.small in _NO_PREDICATES or root.number > sentence.start + 2:
        return False
    if root.tag == "VBN" and not parse.children(root.number, "obl", "advmod"):
        return False
    before = [parse.tokens[number] for number in range(sentence.start, root.number)]
    has_adverbs_only = all(token.tag == "RB" and token.relation == "advmod" for token in before)
    return has_adverbs_only and all(_is_bound(parse, parse.tokens[number]) for number in sentence)


def _is_bound(parse: Parse, token: Token) -> bool:
    """Whether a noun is in a phrase of its own: else it may be what the adjectives before it belong to."""
    if token.universal_tag not in {"NOUN", "PROPN"} or token.relation in {"compound", "flat"}:
        return True
    if token.relation == "conj":
        return parse.tokens[token.head].universal_tag == "NOUN" and _is_bound(parse, parse.tokens[token.head])
    return bool(parse.children(token.number, "case", "det", "nmod:poss"))


def shorten(parse: Parse) -> Iterator[Draft]:
    """Yield "a warm film" for "this is a warm film", in texts that are written in small letters."""
    if parse.text != parse.text.lower() or len(parse.sentences) != 1:
        return
    for sentence in parse.sentences:
        if len(sentence) < 6 or not is_plain(parse, sentence):
            continue
        (root,) = parse.roots(sentence)
        subject, verb, article = (parse.tokens[number] for number in sentence[:3])
        is_opening = (
            subject.small in {"it", "this"}
            and verb.small in {"is", "'s"}
            and verb.relation == "cop"
            and article.small in {"a", "an"}
        )
        if (
            is_opening
            and {subject.head, verb.head, article.head} == {root.number}
            and root.tag == "NN"
            and not _has_other_clause(parse, root)
            and not any(finite_of(parse, child) for child in parse.children(root.number, "conj"))
        ):
            yield Draft(sentence.start, sentence.stop, tuple(sentence[2:]))


COMPLETION = Transformation(
    name="completion",
    summary="a phrase that stands for a sentence becomes one",
    find=complete,
    undoes="ellipsis",
    kind="opening",
)
ELLIPSIS = Transformation(
    name="ellipsis",
    summary="a sentence becomes the phrase that can stand for it",
    find=shorten,
    undoes="completion",
    kind="opening",
)
