"""Visual attacks: letters replaced by characters that look like them."""

import json
from functools import lru_cache
from pathlib import Path

from builder.dimensions.zeroe.cores import core_of
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn

TABLE_PATH = Path(__file__).parents[1] / "data" / "visual_neighbours.json"
# Units are keyed by the hash of the code, which through this constant covers the table.
TABLE_SHA256 = "3b294804b315d9395570854b5187a445e359fe7e1f4cd70d0a9b40606ca912ad"
N_NEIGHBOURS = 20


@lru_cache(maxsize=1)
def neighbours() -> dict[str, list[str]]:
    """Return for each ASCII letter the 20 that look most like it, nearest first; some have a mark."""
    table: dict[str, list[str]] = json.loads(TABLE_PATH.read_text(encoding="utf-8"))
    return table


def attack(turn: Turn) -> Attacked | None:
    """Return the word with each of its letters replaced, with the probability, by one of its neighbours."""
    core = core_of(turn.word)
    if core is None:
        return None
    table, draw = neighbours(), turn.draw
    return Attacked(
        core.with_letters(
            "".join(
                draw.choice(table[letter])
                if letter in table and draw.fraction() < turn.probability
                else letter
                for letter in core.letters
            )
        )
    )


VISUAL = ProbabilityDimension(
    name="visual",
    summary="letters of a word are replaced by one of the 20 characters that look most like them",
    stands_for="text disguised by foreign letters and accents: spam, abuse, phishing",
    tag="malicious",
    group="zeroe",
    attack=attack,
)
