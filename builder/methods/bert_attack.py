"""BERT-ATTACK: the words that matter most become what a masked language model puts in their place."""

from collections.abc import Sequence

from builder.dimensions.contextual import THRESHOLDS, accepted_swaps
from builder.label_guard.guards import Guard, is_replaceable
from builder.language.substitution.vectors import word_vectors
from builder.methods.method import Method, Parameter
from builder.methods.neighbours import without_clashes
from builder.methods.searching import search_words
from builder.models.resources import Resources
from builder.operations.dimension import WordsOfText
from builder.operations.operation import Operations
from builder.searches.search import SearchRequest, SearchResult
from builder.word_swaps.masked_words import Answer, Word, answers_about, words_of_texts
from builder.word_swaps.swaps import of_same_tags, operations_of
from contract.schema.manifest import Setting

MOST_CANDIDATES = 48
# The least cosine of the vectors of a word and its candidate.
LEAST_SIMILAR = 0.4


def propose(texts: Sequence[WordsOfText], resources: Resources) -> list[list[Operations]]:
    """Return for every word what the model puts in its place and what is near to it in meaning."""
    words = [word for word in words_of_texts(texts, is_replaceable) if word.use is not None]
    answers = [
        _near(word, answer)
        for word, answer in zip(words, answers_about(words, resources.masked_lm), strict=True)
    ]
    guard = Guard(resources.associations)
    swaps = of_same_tags(accepted_swaps(words, answers, guard, THRESHOLDS, resources))
    return operations_of(texts, without_clashes(swaps))


def _near(word: Word, answer: Answer) -> Answer:
    """Return the first candidates of an answer that are near to the word."""
    first = answer.candidates[:MOST_CANDIDATES]
    cosines = word_vectors([one.form for one in first]) @ word_vectors([word.original])[0]
    near = [one for one, value in zip(first, cosines, strict=True) if round(float(value), 4) >= LEAST_SIMILAR]
    return answer._replace(candidates=tuple(near))


def search(request: SearchRequest, setting: Setting) -> SearchResult:
    """Return the cases that a greedy search finds among the model's words."""
    return search_words(request, setting, propose)


BERT_ATTACK = Method(
    name="bert-attack",
    summary="what a masked language model puts in the place of the words that matter most, no opposites",
    paper="Li et al. 2020, BERT-ATTACK, EMNLP",
    dimension="contextual",
    settings=("score",),
    parameters=(
        Parameter(name="candidates of a word, at most", paper=48, ours=MOST_CANDIDATES),
        Parameter(name="least similarity of the vectors of two words", paper=0.4, ours=LEAST_SIMILAR),
        Parameter(name="opposites", paper="out by dictionaries", ours="out by dictionaries"),
    ),
    departures=(
        (
            "The paper shows the model the whole text; we hide the word, and order candidates by likelihood"
            " and nearness to it."
        ),
        "The paper takes the vectors of words from counter-fitting; ours are the packaged encoder's.",
        "The paper replaces single pieces of words, too; we replace whole words in the same form.",
        "A candidate must also pass the label guard and the judge of substitutions.",
        "The paper stops when the source is fooled; we fill the budget of every degree.",
    ),
    function=search,
)
