"""Phonetic spellings: letters to sounds, and sounds to other letters that are read the same way."""

from builder.dimensions.phonetic import general_operations_of
from builder.operations.dimension import Attacked, ProbabilityDimension, Turn
from contract.schema.edits import apply_edits


def attack(turn: Turn) -> Attacked | None:
    """Return the word in a spelling that sounds the same.

    The paper translates letters to sounds and back with two trained models and drops what sounds otherwise;
    here a reader finds the sounds, and only spellings that it reads as the same sounds are there to draw.
    """
    operations = general_operations_of(turn.word)
    if not len(operations):
        return None
    return Attacked(apply_edits(turn.word, operations.draw(turn.draw).edits))


PHONETIC = ProbabilityDimension(
    name="phonetic",
    summary="a word is written in another way that sounds the same",
    stands_for="spelling by ear, and creative spelling in social media",
    tag="general",
    group="zeroe",
    attack=attack,
)
