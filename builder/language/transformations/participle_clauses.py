"""Participles after a comma: "the fort, built in 1850, is" becomes "the fort, which was built …"."""

from collections.abc import Iterator

from builder.language.clauses.draft import Draft
from builder.language.clauses.vocabulary import words
from builder.language.parser.parse import Parse
from builder.language.transformations.transformation import Transformation

_LASTING = frozenset({"located", "situated", "owned", "operated", "aimed", "designed", "intended"})


def expand(parse: Parse) -> Iterator[Draft]:
    """Yield ", which was made in …" for ", made in …"."""
    for participle in parse.tokens[2:-2]:
        comma, noun = parse.tokens[participle.number - 1], parse.tokens[participle.number - 2]
        following = parse.tokens[participle.number + 1]
        is_clear = (
            comma.text == ","
            and noun.tag in {"NN", "NNP", "NNS"}
            and participle.tag in {"VBN", "VBD"}
            and participle.small in words("things-made")
            and following.tag in {"IN", "TO"}
            and following.small in {"in", "by", "at", "on", "for", "from", "with", "under", "to"}
        )
        if is_clear:
            is_now = participle.small in _LASTING
            be = {(True, True): "are", (True, False): "is", (False, True): "were", (False, False): "was"}
            said = be[is_now, noun.tag == "NNS"]
            yield Draft(participle.number, participle.number + 1, ("which", said, participle.number))


PARTICIPLE_CLAUSE = Transformation(
    name="participle-clause", summary="a participle after a comma becomes a relative clause", find=expand
)
