"""T3: tokens that say nothing are inserted at nodes of the syntax tree, where they hurt a source most."""

from collections.abc import Sequence

from builder.language.scattering.scatter import (
    MOST_TOKENS,
    WORDS_A_TOKEN,
    Insertion,
    insertions,
    most_insertions,
    together,
)
from builder.methods.method import Method, Parameter
from builder.methods.searching import search_sentences
from builder.models.resources import Resources
from builder.operations.dimension import Pieces, Rewrite, TextToRewrite
from builder.searches.search import SearchRequest, SearchResult
from contract.schema.edits import Edit
from contract.schema.manifest import Setting

NAME = "t3"
# Among so many tokens at nodes an attack chooses.
MOST_PIECES = 120


def write_series(texts: Sequence[TextToRewrite], resources: Resources) -> list[list[Rewrite]]:
    """Return for each text a series of ever more tokens at random nodes."""
    return [_series(text, resources) for text in texts]


def _series(text: TextToRewrite, resources: Resources) -> list[Rewrite]:
    found = insertions(text.text, resources.parser, text.avoid)
    chosen: list[Insertion] = []
    series = []
    for insertion in text.draw.sample(found, len(found)):
        longer = together([*chosen, insertion], most_insertions(text.text))
        if len(longer) > len(chosen):
            chosen = longer
            series.append(_rewrite(chosen))
    return series


def write_pieces(texts: Sequence[TextToRewrite], resources: Resources) -> list[Pieces]:
    """Return for each text the tokens at nodes among which an attack chooses."""
    return [_pieces(text, resources) for text in texts]


def _pieces(text: TextToRewrite, resources: Resources) -> Pieces:
    found = insertions(text.text, resources.parser, text.avoid)
    pieces = text.draw.sample(found, min(MOST_PIECES, len(found)))
    most = most_insertions(text.text)

    def extend(before: Rewrite | None, numbers: Sequence[int]) -> Rewrite:
        there = [] if before is None else _insertions_of(before)
        return _rewrite(together([*there, *(pieces[number] for number in numbers)], most))

    return Pieces(len(pieces), extend)


def _rewrite(chosen: Sequence[Insertion]) -> Rewrite:
    edits = tuple(
        Edit(each.place, each.place + len(each.original), each.original, each.text) for each in chosen
    )
    return Rewrite(edits, NAME)


def _insertions_of(rewrite: Rewrite) -> list[Insertion]:
    """Return what a rewrite has inserted; which node each belongs to no longer matters."""
    return [Insertion(edit.start, edit.original, edit.replacement, NAME) for edit in rewrite.edits]


def search(request: SearchRequest, setting: Setting) -> SearchResult:
    """Return the texts of each bin, with tokens at random nodes or where they hurt the source most."""
    return search_sentences(request, setting, write_series, write_pieces)


T3 = Method(
    name=NAME,
    summary="fillers, pauses and repeated words at nodes of the syntax tree, where they hurt the source most",
    paper="Wang et al. 2020, T3: Tree-autoencoder constrained adversarial text generation, EMNLP",
    dimension="syntax",
    settings=("rule", "score"),
    parameters=(
        Parameter(name="scaling constant", paper=1e4, ours="none: nothing is optimised"),
        Parameter(name="optimising confidence", paper=0, ours="none: nothing is optimised"),
        Parameter(name="steps of an iteration", paper=100, ours="none: nothing is optimised"),
        Parameter(name="learning rate", paper=0.1, ours="none: nothing is optimised"),
        Parameter(name="words for each token", paper="any", ours=WORDS_A_TOKEN),
        Parameter(name="tokens in a text", paper="any", ours=MOST_TOKENS),
    ),
    departures=(
        (
            "The paper perturbs the embedding of a node in a tree autoencoder and decodes it; we choose"
            " among written tokens at the edges of nodes, by the probabilities of the source instead of"
            " its gradients."
        ),
        "The paper may replace what a node says; we insert and replace nothing, so that the label stays.",
        "Its tokens are any words of the vocabulary; ours are fillers, pauses and function words said twice.",
    ),
    function=search,
)
