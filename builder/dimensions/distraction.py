"""Distraction: irrelevant text appended after everything else; nothing of the original is touched.

Beside one text alone anything neutral may stand. Where the label is a relation of two texts, whatever is
added to one of them could be asked of the other: a hypothesis with one more claim no longer follows, a
question with one more sentence asks something else, and a premise with one more fact may support what it left
open. So a text of a pair gets only what claims nothing and asks nothing: links and handles (CheckList),
signs that are no words, and clauses that are true of anything by their form alone (StressTest): they follow
from every premise, and nothing follows from them.
"""

from collections.abc import Mapping, Sequence

from builder.language.sentences.neutral_sentences import NeutralSentences, neutral_sentences
from builder.language.sentences.pieces import Kind, Piece, PieceMaker, Style
from builder.models.resources import Resources
from builder.operations.dimension import ALL_DEGREES, Pieces, Rewrite, SentenceDimension, TextToRewrite
from builder.values.randomness import Draw
from contract.schema.edits import Edit, words_of

# A series begins with this many handles, links, signs and empty clauses: a whole sentence would move a short
# text too far.
N_SLIGHT = 8
# How many clauses and sentences a text may get after these: some for any text, more for a long one, which
# moves less.
FEWEST_PIECES = 40
WORDS_A_PIECE = 2
MOST_PIECES = 160
# What a series is made of after its slight pieces. Facts mostly stay with one topic: sentences that agree
# with each other outweigh the text sooner than a mixture does.
MIX: Mapping[Kind, float] = {
    "fact": 0.66,
    "tautology": 0.1,
    "statement": 0.04,
    "web": 0.05,
    "tail": 0.03,
    "boilerplate": 0.07,
    "quotation": 0.05,
}
# What may be added to a text of a pair.
MIX_IN_PAIRS: Mapping[Kind, float] = {"tautology": 0.55, "statement": 0.15, "web": 0.3}
OTHER_TOPIC = 0.15
REPEATED = 0.05
# How many pieces of each kind an attack may choose from.
CHOICE: Mapping[Kind, int] = {
    "web": 20,
    "tail": 20,
    "tautology": 30,
    "statement": 6,
    "fact": 90,
    "boilerplate": 24,
    "quotation": 10,
}
CHOICE_IN_PAIRS: Mapping[Kind, int] = {"web": 60, "tautology": 60, "statement": 10}
N_SIGNS_IN_PAIRS = 20


def write_series(texts: Sequence[TextToRewrite], _resources: Resources) -> list[list[Rewrite]]:
    """Return for each text a series of ever longer pieces to append to it."""
    return [_series(text) for text in texts]


def write_pieces(texts: Sequence[TextToRewrite], _resources: Resources) -> list[Pieces]:
    """Return for each text the pieces of all kinds that an attack may append to it."""
    return [_pieces_to_choose(text) for text in texts]


def _series(to_rewrite: TextToRewrite) -> list[Rewrite]:
    text, draw = to_rewrite.text, to_rewrite.draw
    n_words = len(words_of(text))
    if not n_words:
        return []
    grammar = neutral_sentences(to_rewrite.avoid)
    maker = PieceMaker(grammar, to_rewrite.avoid)
    slight = [maker.empty(draw), *(_slight_piece(maker, draw) for _ in range(N_SLIGHT - 1))]
    n_pieces = min(MOST_PIECES, max(FEWEST_PIECES, n_words // WORDS_A_PIECE))
    if to_rewrite.is_of_pair:
        pieces = [maker.draw(_kind(MIX_IN_PAIRS, draw), draw) for _ in range(n_pieces)]
    else:
        pieces = _paragraph(grammar, maker, draw, n_pieces)
    starts = [slight[:1], *_starts(slight[1:]), *_starts(pieces)]
    style = Style.of(text)
    return [_rewrite(text, None, start, style) for start in starts]


def _starts(pieces: Sequence[Piece]) -> list[Sequence[Piece]]:
    """Return the first piece, the first two, and so on."""
    return [pieces[:n] for n in range(1, len(pieces) + 1)]


def _slight_piece(maker: PieceMaker, draw: Draw) -> Piece:
    """Return a piece that means almost nothing."""
    chance = draw.fraction()
    if chance < 0.4:
        return maker.empty(draw)
    return maker.sign(draw) if chance < 0.5 else maker.draw("web", draw)


def _paragraph(grammar: NeutralSentences, maker: PieceMaker, draw: Draw, n: int) -> list[Piece]:
    """Return pieces of all kinds, the facts among them mostly about one thing."""
    topic = draw.choice(grammar.topics) if grammar.topics else ()
    pieces: list[Piece] = []
    for _ in range(n):
        kind = _kind(MIX, draw)
        if pieces and draw.fraction() < REPEATED:
            pieces.append(pieces[-1])
        elif kind == "fact" and topic and draw.fraction() >= OTHER_TOPIC:
            pieces.append(maker.sentence(topic, draw))
        else:
            pieces.append(maker.draw(kind, draw))
    return pieces


def _kind(mix: Mapping[Kind, float], draw: Draw) -> Kind:
    """Return a kind, drawn by the shares of a mix."""
    chance = draw.fraction() * sum(mix.values())
    for kind, share in mix.items():
        chance -= share
        if chance < 0:
            return kind
    return next(iter(mix))


def _pieces_to_choose(to_rewrite: TextToRewrite) -> Pieces:
    text, draw, style = to_rewrite.text, to_rewrite.draw, Style.of(to_rewrite.text)
    maker = PieceMaker(neutral_sentences(to_rewrite.avoid), to_rewrite.avoid)
    choice = CHOICE_IN_PAIRS if to_rewrite.is_of_pair else CHOICE
    drawn = [maker.draw(kind, draw) for kind, n in choice.items() for _ in range(n)]
    if to_rewrite.is_of_pair:
        drawn += [maker.sign(draw) for _ in range(N_SIGNS_IN_PAIRS)]
    pieces = list(dict.fromkeys(drawn))

    def extend(before: Rewrite | None, numbers: Sequence[int]) -> Rewrite:
        return _rewrite(text, before, [pieces[number] for number in numbers], style)

    return Pieces(len(pieces) if words_of(text) else 0, extend)


def _rewrite(text: str, before: Rewrite | None, pieces: Sequence[Piece], style: Style) -> Rewrite:
    """Return the text with pieces after it, or after what a rewrite has appended before."""
    added = "" if before is None else before.edits[0].replacement
    kinds = {*(piece.kind for piece in pieces), *(before.method.split("+") if before else ())}
    appended = added + (style.continued(pieces) if before else style.appended(text, pieces))
    return Rewrite((Edit(len(text), len(text), "", appended),), "+".join(sorted(kinds)))


DISTRACTION = SentenceDimension(
    name="distraction",
    summary="irrelevant text appended after everything else",
    stands_for="text padded with things that do not matter: signatures, links, small talk, stuffing",
    tag="malicious",
    degrees=ALL_DEGREES,
    write_series=write_series,
    write_pieces=write_pieces,
)
