"""Segmentation: words are joined to those that follow."""

from builder.operations.dimension import Attacked, ProbabilityDimension, Turn


def attack(turn: Turn) -> Attacked | None:
    """Return the word joined to the next one with probability φ, then to the one after with φ², and so on."""
    probability = turn.probability
    joined = [turn.word]
    for following in turn.following:
        if turn.draw.fraction() >= probability:
            break
        joined.append(following)
        probability *= turn.probability
    return Attacked("".join(joined), len(joined)) if len(joined) > 1 else None


SEGMENT = ProbabilityDimension(
    name="segment",
    summary="the space between words is left out; both words count as attacked",
    stands_for="hashtags, haste, and text that lost its line breaks",
    tag="general",
    group="zeroe",
    attack=attack,
    keeps_words=False,
)
