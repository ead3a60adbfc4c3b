"""Randomness that is passed in: seeded by names, never by order, worker or machine."""

import random
from collections.abc import Sequence
from typing import TypeVar

from contract.machine.hashes import hash_of

Item = TypeVar("Item")


class Draw:
    """A stream of random choices, seeded by names: the same names, the same choices.

    Only `random.Random.random` is used, since Python promises its values for all versions.
    """

    def __init__(self, *names: str | float | None) -> None:
        self._random = random.Random(int(hash_of(names), 16)).random

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1."""
        return int(self._random() * n)

    def fraction(self) -> float:
        """Return a number in [0, 1)."""
        return self._random()

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[Item], n: int) -> list[Item]:
        """Return n different items in random order."""
        pool = list(items)
        for position in range(n):
            other = position + self.below(len(pool) - position)
            pool[position], pool[other] = pool[other], pool[position]
        return pool[:n]


def seed_of(seed: int, name: str) -> int:
    """Return the seed of a part of a build that draws on its own, such as a method."""
    return int(hash_of([seed, name]), 16) % 2**53
