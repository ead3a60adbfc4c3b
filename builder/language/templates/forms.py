"""The form of a sentence: what it begins with and how its clauses are joined."""

from builder.language.clauses.statements import body_end
from builder.language.parser.parse import Parse, Token

_BE = frozenset({"is", "was", "'s", "are", "were"})
_WH = frozenset({"WP", "WDT", "WRB", "WP$"})


def forms_of(parse: Parse) -> list[str]:
    """Return the form of each sentence of a text."""
    return [form_of(parse, sentence) for sentence in parse.sentences]


def form_of(parse: Parse, sentence: range) -> str:
    """Return the name of the form of a sentence, `other` if it has none of those that templates name."""
    roots = parse.roots(sentence)
    if len(roots) != 1 or len(sentence) < 2:
        return "other"
    (root,) = roots
    first, second = parse.tokens[sentence.start], parse.tokens[sentence.start + 1]
    marks = {parse.tokens[number].text for number in range(body_end(parse, sentence), sentence.stop)}
    if "?" in marks:
        return _form_of_question(parse, sentence)
    is_cleft = first.small == "it" and second.small in _BE and "that" in parse.words(sentence[2:])
    by_first_word = {"what": "what-is", "there": "there-is" if first.tag == "EX" else None}
    by_words = "cleft" if is_cleft else by_first_word.get(first.small)
    by_clauses = "two-clauses" if _joins_clauses(parse, root) else None
    return by_words or by_clauses or _by_beginning(parse, sentence, root)


def _form_of_question(parse: Parse, sentence: range) -> str:
    """Return whether a question begins with what it asks for."""
    first, second = parse.tokens[sentence.start], parse.tokens[sentence.start + 1]
    begins_with_wh = first.tag in _WH or (first.tag == "IN" and second.tag in _WH)
    return "question-word-first" if begins_with_wh else "question-word-later"


def _by_beginning(parse: Parse, sentence: range, root: Token) -> str:
    """Return a form by the part of the sentence that stands first."""
    child = _child_with(parse, root, sentence.start)
    if child is None:
        return "verb-first" if root.universal_tag == "VERB" else "noun-phrase"
    relation = child.relation.partition(":")[0]
    if relation in {"nsubj", "csubj", "expl"}:
        return "subject-first"
    has_subject = bool(parse.children(root.number, "nsubj", "csubj", "expl"))
    if not has_subject:
        return "verb-first" if root.universal_tag == "VERB" else "noun-phrase"
    if relation == "advcl" or (relation == "ccomp" and child.number < root.number):
        return "clause-first"
    if relation in {"obl", "nmod"}:
        return "phrase-first"
    return "adverb-first" if relation == "advmod" else "other"


def _child_with(parse: Parse, root: Token, number: int) -> Token | None:
    """Return the part directly below the root that a piece belongs to; None for the root itself."""
    token = parse.tokens[number]
    while token.head not in {root.number, token.number}:
        token = parse.tokens[token.head]
    return None if token.number == root.number else token


def _joins_clauses(parse: Parse, root: Token) -> bool:
    """Whether a second clause with a subject of its own is joined to the first by a word."""
    return any(
        parse.children(clause.number, "cc") and parse.children(clause.number, "nsubj", "expl", "csubj")
        for clause in parse.children(root.number, "conj")
    )
