"""TextFooler: the words that matter most become near neighbours in a space of words, of the same kind."""

from collections.abc import Sequence

from builder.label_guard.guards import Guard
from builder.methods.method import Method, Parameter
from builder.methods.neighbours import median_neighbours, neighbour_swaps
from builder.methods.searching import search_words
from builder.models.encoder import encode
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.operations.operation import Operations
from builder.searches.search import SearchRequest, SearchResult
from builder.word_swaps.swaps import Swap, cosine, operations_of
from contract.schema.manifest import Setting

MOST_NEIGHBOURS = 50
# The least cosine of the sentence before and after a swap: where classes mean good and bad, and elsewhere.
LEAST_SIMILAR_IN_SENTIMENT = 0.8
LEAST_SIMILAR = 0.7
# How likely readers must accept a swap, says the judge: neighbours are often only related.
LEAST_SCORE = 0.75


def propose(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return for every word its neighbours after which the sentence says nearly the same."""
    swaps = neighbour_swaps(texts, resources, most=MOST_NEIGHBOURS, least_score=LEAST_SCORE)
    is_sentiment = Guard(resources.associations).is_toned
    least = LEAST_SIMILAR_IN_SENTIMENT if is_sentiment else LEAST_SIMILAR
    return operations_of(texts, _similar(swaps, resources.encoder, least))


def _similar(swaps: Sequence[Swap], encoder: str, least: float) -> list[Swap]:
    """Return the swaps after which the embedding of the sentence is near to what it was."""
    sentences = list(dict.fromkeys(text for swap in swaps for text in (swap.sentence.text, swap.result)))
    vectors = dict(zip(sentences, encode(sentences, encoder), strict=True))
    return [swap for swap in swaps if cosine(vectors[swap.sentence.text], vectors[swap.result]) >= least]


def search(request: SearchRequest, setting: Setting) -> SearchResult:
    """Return the cases that a greedy search finds among the neighbours of words."""
    return search_words(request, setting, propose)


TEXTFOOLER = Method(
    name="textfooler",
    summary="near neighbours of the words that matter most, with the same tag, in sentences that stay alike",
    paper="Jin et al. 2020, Is BERT Really Robust?, AAAI",
    dimension="synonym",
    settings=("score",),
    parameters=(
        Parameter(name="neighbours of a word, at most", paper=50, ours=MOST_NEIGHBOURS),
        Parameter(name="neighbours of a word in the thesaurus, median", paper=50, ours=median_neighbours),
        Parameter(name="least similarity in sentiment tasks", paper=0.8, ours=LEAST_SIMILAR_IN_SENTIMENT),
        Parameter(name="least similarity elsewhere", paper=0.7, ours=LEAST_SIMILAR),
        Parameter(name="part of speech", paper="same", ours="same"),
    ),
    departures=(
        (
            "The paper takes the nearest words of counter-fitted vectors; we take what the recipe's"
            " `lexicons` list, in their order, and then the packaged thesaurus."
        ),
        (
            "The paper compares a window by the Universal Sentence Encoder; we compare the sentence by the"
            " recipe's encoder."
        ),
        "A swap must also pass the label guard and the judge of substitutions, which refuse most neighbours.",
        "The paper stops when the source is fooled; we fill the budget of every degree.",
    ),
    function=search,
    uses=("encoder",),
)
