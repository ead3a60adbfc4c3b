"""Places: which attempts of a sample and degree are kept, where several sources have made some.

A budget must be met exactly, so a large one may leave an attack no choice but edits that help the source.
Where every attempt at a degree hurts its source less than one at a lower degree, none of them gets a place:
the sample goes on with the stronger attempt, which is the one that counts at higher degrees, too.

Sources take turns. In the first round each gives its strongest attempt, in the next its second, until the
places are filled; where another tool attacks a source, too, their attempts alternate. A method has places of
its own, so what it freezes does not depend on which other methods a recipe names. Which source begins
follows from a hash of the sample and dimension: no vote decides it, so no family is favoured, and an attempt
that fools nobody has the same chance as one that fools all.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from builder.values.distinct import Distinct
from contract.machine.hashes import hash_of
from contract.schema.drop_reasons import DUPLICATE, ENOUGH_CASES, WEAKER_THAN_LOWER_DEGREE, Reason

# Probabilities nearer than this are the same.
SAME = 1e-9


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """An attempt as it competes for a place."""

    sample_id: str
    degree: float
    source: str
    # The other tool that made it, if one did.
    tool: str | None = None
    # The method that made it, if one did: each fills places of its own.
    method: str | None = None
    # The sources of a sample begin in another order in each dimension and setting.
    dimension: str
    setting: str
    text: tuple[str, str | None]
    # How probable its source holds the true label.
    probability: float


def give_places(attempts: Sequence[Attempt], n_wanted: int) -> list[Reason | None]:
    """Return for each attempt why it gets no place, or nothing; each source's stand strongest first.

    The decision on one sample and degree is the same whatever other samples are there.
    """
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for number, attempt in enumerate(attempts):
        groups[attempt.sample_id, attempt.degree, attempt.method].append(number)
    is_weaker = weaker_than_lower_degrees(attempts)
    reasons: list[Reason | None] = [None] * len(attempts)
    for numbers in groups.values():
        distinct = Distinct()
        n_kept = 0
        for number in _in_turns(attempts, numbers):
            if is_weaker[number]:
                reasons[number] = WEAKER_THAN_LOWER_DEGREE
            elif not distinct.is_new(attempts[number].text):
                reasons[number] = DUPLICATE
            elif n_kept == n_wanted:
                reasons[number] = ENOUGH_CASES
            else:
                n_kept += 1
    return reasons


def weaker_than_lower_degrees(attempts: Sequence[Attempt]) -> list[bool]:
    """Tell of each attempt whether all of its attack at its degree hurt less than one at a lower degree."""
    strongest: dict[Hashable, dict[float, float]] = defaultdict(dict)
    for attempt in attempts:
        of_attack = strongest[_attack_of(attempt)]
        of_attack[attempt.degree] = min(attempt.probability, of_attack.get(attempt.degree, 1.0))
    return [
        any(
            degree < attempt.degree and probability < of_attack[attempt.degree] - SAME
            for degree, probability in of_attack.items()
        )
        for attempt in attempts
        for of_attack in [strongest[_attack_of(attempt)]]
    ]


def _attack_of(attempt: Attempt) -> Hashable:
    return attempt.sample_id, attempt.source, attempt.tool, attempt.method


def _in_turns(attempts: Sequence[Attempt], numbers: Sequence[int]) -> list[int]:
    """Return attempts round by round; in a round the sources stand in the order of their hashes."""
    by_source: dict[str, list[int]] = defaultdict(list)
    for number in _by_strength(attempts, numbers):
        by_source[attempts[number].source].append(number)
    turns: dict[int, tuple[int, str]] = {}
    for source, of_source in by_source.items():
        first = attempts[of_source[0]]
        place = hash_of([first.sample_id, first.dimension, first.setting, source])
        turns |= {number: (round_number, place) for round_number, number in enumerate(of_source)}
    return sorted(numbers, key=turns.__getitem__)


def _by_strength(attempts: Sequence[Attempt], numbers: Sequence[int]) -> list[int]:
    """Return the strongest attempt of every source and tool, then the second ones, and so on."""
    n_before: dict[tuple[str, str | None], int] = defaultdict(int)
    strengths: dict[int, int] = {}
    for number in numbers:
        attacker = (attempts[number].source, attempts[number].tool)
        strengths[number] = n_before[attacker]
        n_before[attacker] += 1
    return sorted(numbers, key=lambda number: (strengths[number], number))
