"""CheckList: random links and handles stand after a text."""

from collections.abc import Sequence

from builder.language.sentences.neutral_sentences import neutral_sentences
from builder.language.sentences.pieces import Piece, PieceMaker, Style
from builder.methods.method import Method, Parameter
from builder.methods.searching import search_sentences
from builder.models.resources import Resources
from builder.operations.dimension import Pieces, Rewrite, TextToRewrite
from builder.searches.search import SearchRequest, SearchResult
from contract.schema.edits import Edit, words_of
from contract.schema.manifest import Setting

NAME = "checklist"
# At most so many stand after a text: one moves a long text too little for the higher degrees.
MOST_SIGNS = 4
N_PIECES = 60


def write_series(texts: Sequence[TextToRewrite], _resources: Resources) -> list[list[Rewrite]]:
    """Return for each text a series with one, two and more links and handles after it."""
    return [
        [_rewrite(text.text, drawn[:n]) for n in range(1, len(drawn) + 1)]
        for text in texts
        for drawn in [_signs(text, MOST_SIGNS)]
    ]


def write_pieces(texts: Sequence[TextToRewrite], _resources: Resources) -> list[Pieces]:
    """Return for each text the links and handles among which an attack chooses."""
    return [_pieces(text) for text in texts]


def _signs(text: TextToRewrite, n: int) -> list[Piece]:
    """Return different links and handles, none with a word that is typical of a class."""
    if not words_of(text.text):
        return []
    maker = PieceMaker(neutral_sentences(text.avoid), text.avoid)
    return list(dict.fromkeys(maker.draw("web", text.draw) for _ in range(n)))


def _pieces(text: TextToRewrite) -> Pieces:
    pieces = _signs(text, N_PIECES)

    def extend(before: Rewrite | None, numbers: Sequence[int]) -> Rewrite:
        there = [] if before is None else before.edits[0].replacement.split()
        signs = list(dict.fromkeys([*there, *(pieces[number].text for number in numbers)]))
        return _rewrite(text.text, [Piece("web", sign) for sign in signs[:MOST_SIGNS]])

    return Pieces(len(pieces), extend)


def _rewrite(text: str, signs: Sequence[Piece]) -> Rewrite:
    appended = Style.of(text).appended(text, signs)
    return Rewrite((Edit(len(text), len(text), "", appended),), NAME)


def search(request: SearchRequest, setting: Setting) -> SearchResult:
    """Return the texts of each bin, with random signs or with those that hurt the source most."""
    return search_sentences(request, setting, write_series, write_pieces)


CHECKLIST = Method(
    name=NAME,
    summary="random links and handles after the text",
    paper="Ribeiro et al. 2020, Beyond accuracy: behavioral testing of NLP models with CheckList, ACL",
    dimension="distraction",
    settings=("rule", "score"),
    parameters=(Parameter(name="links and handles in a text", paper=1, ours=MOST_SIGNS),),
    departures=(
        (
            "CheckList puts one link or handle before or after a text; we put up to four after it, so"
            " that a text can reach higher degrees."
        ),
        "Its links lead to a real host; ours to hosts that are reserved for examples, and nowhere.",
    ),
    function=search,
)
