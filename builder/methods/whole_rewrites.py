"""Rewrites of whole texts by a method: what brings in a word of another class is left out."""

from collections.abc import Iterable

from builder.language.clauses.draft import difference
from builder.language.rewriting.walk import Start, brings_in
from builder.models.resources import Resources
from builder.operations.dimension import Rewrite, TextToRewrite


def sound_rewrites(
    text: TextToRewrite, found: Iterable[tuple[str, str]], resources: Resources
) -> list[Rewrite]:
    """Return rewritten texts, each with how it was made, as rewrites; no text twice."""
    associations = resources.associations
    refused = {
        word for word in text.avoid if text.label is None or associations.get(word, text.label) != text.label
    }
    start = Start(text.text, text.draw, frozenset(refused))
    by_text = {rewritten: made for rewritten, made in found if not brings_in(start, rewritten)}
    return [Rewrite(tuple(difference(text.text, rewritten)), made) for rewritten, made in by_text.items()]
