"""Shuffles letters so that another order comes out."""

from builder.values.randomness import Draw

# Letters that repeat may come back into their order: they are shuffled anew.
MOST_TRIES = 5


def shuffled(letters: str, draw: Draw) -> str:
    """Return the letters in another order; in the same one only where there is hardly another."""
    if len(set(letters)) < 2:
        return letters
    for _ in range(MOST_TRIES):
        other = "".join(draw.sample(letters, len(letters)))
        if other != letters:
            return other
    return letters
