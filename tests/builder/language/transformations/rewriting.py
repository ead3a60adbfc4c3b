"""What tests of transformations share: all that a transformation makes of a text."""

from builder.language.parser.parsing import parse
from builder.language.rewriting.walk import rewritten
from builder.language.transformations import TRANSFORMATIONS


def rewrites(name: str, text: str) -> list[str]:
    """Return all that a transformation makes of a text."""
    (parsed,) = parse([text])
    found = (rewritten(parsed, draft) for draft in TRANSFORMATIONS[name].find(parsed))
    return [each for each in found if each is not None]
