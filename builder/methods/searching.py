"""How a method searches: with its own changes in the place of the dimension's, along our batched searches."""

from dataclasses import replace

from builder.operations.dimension import Dimension, Propose, SentenceDimension, WritePieces, WriteSeries
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest, SearchResult
from contract.schema.manifest import Setting


def search_words(request: SearchRequest, setting: Setting, propose: Propose) -> SearchResult:
    """Return what the setting's own search finds among the changes of words that a method proposes.

    `propose` is a function of a module and no closure: what it proposes is kept for the other sources.
    """
    return SEARCHES[setting].run(replace(request, dimension=dimension_with(request, propose)))


def search_sentences(
    request: SearchRequest,
    setting: Setting,
    write_series: WriteSeries,
    write_pieces: WritePieces | None = None,
) -> SearchResult:
    """Return what the setting's own search finds among the rewrites that a method writes.

    `write_series` is a function of a module and no closure: its rewrites are kept for the other sources.
    """
    dimension = request.dimension
    if not isinstance(dimension, SentenceDimension):
        raise TypeError(f"{dimension.name} does not rewrite texts")
    own = replace(dimension, write_series=write_series, write_pieces=write_pieces)
    return SEARCHES[setting].run(replace(request, dimension=own))


def dimension_with(request: SearchRequest, propose: Propose) -> Dimension:
    """Return the dimension of a request with a method's changes in the place of its own."""
    if not isinstance(request.dimension, Dimension):
        raise TypeError(f"{request.dimension.name} does not change words up to a budget")
    return replace(request.dimension, propose=propose)
