"""Appositions: "Ann Lee, the director, said" and "Ann Lee, who is the director, said"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LONGEST = 14


def expand(parse: Parse) -> Iterator[Draft]:
    """Yield ", who is the director," for ", the director,"."""
    for article in parse.tokens[2:]:
        inner = _inside_commas(parse, article.number)
        if inner is None or article.small not in {"a", "an", "the"}:
            continue
        noun = _head(parse, inner)
        kind = "who" if noun in words("persons") else "which" if noun in words("bodies") else None
        if kind:
            yield Draft(article.number, article.number + 1, (kind, "is", article.number))


def reduce(parse: Parse) -> Iterator[Draft]:
    """Yield ", the director," for ", who is the director,"."""
    for pronoun in parse.tokens[2:]:
        inner = _inside_commas(parse, pronoun.number)
        if inner is None or len(inner) < 4:
            continue
        be, article = (parse.tokens[number] for number in inner[1:3])
        is_clear = (
            pronoun.small in {"who", "which"}
            and be.small == "is"
            and article.small in {"a", "an", "the"}
            and _head(parse, inner[2:]) in words("persons") | words("bodies")
        )
        if is_clear:
            yield Draft(pronoun.number, article.number + 1, (article.number,))


def _head(parse: Parse, phrase: range) -> str:
    """Return the noun of a phrase that begins with an article: the last before a preposition or an end."""
    head = ""
    for number in phrase[1:]:
        token = parse.tokens[number]
        if token.tag in {"NN", "NNS"}:
            head = token.small
        elif token.tag not in {"JJ", "NNP", "JJS", "POS", "CD", "HYPH", "VBN", "VBG"}:
            break
    return head


def _inside_commas(parse: Parse, start: int) -> range | None:
    """Return what stands between the comma after a name and the next, if the name's verb follows that."""
    name, comma = parse.tokens[start - 2], parse.tokens[start - 1]
    stop = start
    while stop < len(parse.tokens) and stop - start <= _LONGEST and parse.tokens[stop].text != ",":
        stop += 1
    if comma.text != "," or name.tag != "NNP" or stop + 1 >= len(parse.tokens) or stop - start > _LONGEST:
        return None
    inner, following = range(start, stop), parse.tokens[stop + 1]
    has_clause = any(parse.tokens[number].tag in {"VBD", "VBP", "MD", ":", "CC"} for number in inner)
    # Anything else may be one more of a list: "Rome, the capital, Milan and …".
    is_closed = following.tag in {"VBD", "VBZ", "MD", "TO", "IN", "WP", "WDT"}
    return inner if is_closed and len(inner) > 1 and not has_clause else None


APPOSITION_EXPANSION = Transformation(
    name="apposition-expansion",
    summary="an apposition becomes a relative clause",
    find=expand,
    undoes="apposition-reduction",
)
APPOSITION_REDUCTION = Transformation(
    name="apposition-reduction",
    summary="a relative clause becomes an apposition",
    find=reduce,
    undoes="apposition-expansion",
)
