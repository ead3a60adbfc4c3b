"""Relative clauses: reduced ones are expanded, full ones reduced, and adjectives made into them."""

import re
from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.statements import finite_of, is_plural
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse, Token
from builder.language.transformations.transformation import Transformation
from builder.language.words.inflected_forms import paradigm_of

# "Published on Thursday", "built in 1990": it was.
_DATE = re.compile(r"(?:1[0-9]|20)\d\d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|yesterday")
_OTHER_PRONOUN = {"that": "which", "which": "that"}
_PREPOSITIONS = frozenset(
    {"by", "in", "on", "from", "with", "for", "at", "to", "into", "around", "under", "over"}
)


def expand(parse: Parse) -> Iterator[Draft]:
    """Yield participles after their nouns as relative clauses."""
    if any(token.text == "?" for token in parse.tokens):
        # "What are the parts made of": the verb of the question, rather.
        return
    for verb in parse.tokens:
        noun = parse.tokens[verb.head]
        if (
            verb.relation != "acl"
            or verb.number != noun.number + 1
            or verb.small in words("prepositional-participles")
        ):
            continue
        after = parse.tokens[verb.number + 1] if verb.number + 1 < len(parse.tokens) else None
        plural = is_plural(parse, noun)
        if after is None or plural is None or noun.tag not in {"NN", "NNS"}:
            continue
        if verb.tag == "VBN" and after.small in _PREPOSITIONS:
            yield Draft(verb.number, verb.number + 1, ("that", _be(parse, verb, plural=plural), verb.number))
        # "The chance of a film rising": no relative clause, though parsed as one.
        elif verb.tag == "VBG" and not parse.children(noun.number, "case"):
            yield from _expand_doing(parse, verb, plural=plural)


def _expand_doing(parse: Parse, verb: Token, *, plural: bool) -> Iterator[Draft]:
    """Yield "a film that deals with" for "a film dealing with", "that is standing" for "standing"."""
    paradigm = paradigm_of(verb.small, "VBG")
    if verb.small in words("lasting-participles") and paradigm and not _is_past(parse, verb):
        # The forms of a verb: VB, VBZ, VBD, VBN, VBG.
        yield Draft(verb.number, verb.number + 1, ("that", paradigm.forms[0 if plural else 1]))
    elif verb.small in words("passing-participles"):
        yield Draft(verb.number, verb.number + 1, ("that", _be(parse, verb, plural=plural), verb.number))


def _is_past(parse: Parse, verb: Token) -> bool:
    """Whether the clause around a participle is told in the past."""
    token = verb
    while token.head != token.number:
        token = parse.tokens[token.head]
        finite = finite_of(parse, token)
        if finite:
            return finite.tag == "VBD"
    return False


def _be(parse: Parse, verb: Token, *, plural: bool) -> str:
    following = [token.text for token in parse.tokens[verb.number + 1 : verb.number + 4]]
    if _is_past(parse, verb) or any(_DATE.fullmatch(word) for word in following):
        return "were" if plural else "was"
    return "are" if plural else "is"


def reduce(parse: Parse) -> Iterator[Draft]:
    """Yield "a story told by" for "a story that is told by"."""
    for verb in parse.tokens:
        if verb.relation != "acl:relcl" or verb.tag not in {"VBN", "VBG"} or verb.number < 3:
            continue
        noun, relative, be = (parse.tokens[verb.number - back] for back in (3, 2, 1))
        after = parse.tokens[verb.number + 1] if verb.number + 1 < len(parse.tokens) else None
        is_clear = (
            verb.head == noun.number
            # "What are some films that were cut": without its verb, the participle would be the question's.
            and not any(token.text == "?" for token in parse.tokens)
            and noun.tag in {"NN", "NNS"}
            and relative.small in {"that", "which", "who"}
            and be.small in {"is", "are", "was", "were"}
            and be.head == verb.number
            and not _goes_on(parse, verb)
            and after is not None
            and (after.tag in {"IN", "TO"} or (verb.tag == "VBG" and after.tag in {"DT", "PRP$"}))
        )
        if is_clear:
            yield Draft(noun.number, verb.number + 1, (noun.number, verb.number))


def _goes_on(parse: Parse, verb: Token) -> bool:
    """Whether what is said with a verb may go on after it: "that is told by …, is funny and …"."""
    sentence = next(each for each in parse.sentences if verb.number in each)
    return any(
        parse.tokens[number].relation == "conj"
        and parse.tokens[number].universal_tag in {"VERB", "AUX", "ADJ"}
        for number in range(verb.number, sentence.stop)
    )


def postpone_adjectives(parse: Parse) -> Iterator[Draft]:
    """Yield "a film that is funny" for "a funny film"."""
    for adjective in parse.tokens[1:]:
        noun, article = parse.tokens[adjective.head], parse.tokens[adjective.number - 1]
        is_clear = (
            adjective.relation == "amod"
            and adjective.small in words("gradable")
            and noun.number == adjective.number + 1
            and noun.tag == "NN"
            and article.small in {"a", "an"}
            and article.head == noun.number
            and not parse.children(adjective.number)
            and {child.relation for child in parse.children(noun.number)}
            <= {"det", "amod", "case", "punct", "cop", "nsubj"}
            and len(parse.children(noun.number, "amod")) == 1
        )
        after = parse.tokens[noun.number + 1] if noun.number + 1 < len(parse.tokens) else None
        if is_clear and (after is None or after.text in {".", ",", ";", "!"}):
            be = "was" if _is_past(parse, adjective) else "is"
            yield Draft(
                article.number, noun.number + 1, (article.number, noun.number, f"that {be}", adjective.number)
            )


def change_pronoun(parse: Parse) -> Iterator[Draft]:
    """Yield "a film which works" for "a film that works", and the other way round."""
    for pronoun in parse.tokens[1:]:
        noun, verb = parse.tokens[pronoun.number - 1], parse.tokens[pronoun.head]
        is_clear = (
            pronoun.small in _OTHER_PRONOUN
            and pronoun.tag == "WDT"
            and pronoun.relation.startswith("nsubj")
            and verb.relation == "acl:relcl"
            and verb.head == noun.number
            and noun.small in words("things")
        )
        if is_clear:
            yield Draft(pronoun.number, pronoun.number + 1, (_OTHER_PRONOUN[pronoun.small],))


RELATIVE_PRONOUN = Transformation(
    name="relative-pronoun", summary="“that” and “which” of things change", find=change_pronoun, weight=1.0
)
RELATIVE_EXPANSION = Transformation(
    name="relative-expansion",
    summary="a participle after its noun becomes a relative clause",
    find=expand,
    undoes="relative-reduction",
)
RELATIVE_REDUCTION = Transformation(
    name="relative-reduction",
    summary="a relative clause becomes the participle in it",
    find=reduce,
    undoes="relative-expansion",
)
ADJECTIVE_CLAUSE = Transformation(
    name="adjective-clause",
    summary="an adjective becomes a relative clause",
    find=postpone_adjectives,
)
