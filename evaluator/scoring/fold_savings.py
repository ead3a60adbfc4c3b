"""What each step of the fold would have saved: wrong cases that it makes their originals again."""

from collections.abc import Iterable
from dataclasses import dataclass

from contract.folding import FOLDS, fold, restoring_folds

ALL = "all"


@dataclass(frozen=True, kw_only=True)
class JudgedCase:
    """An original, its case, and whether a model is right on each."""

    original: str
    case: str
    is_clean_right: bool
    is_right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldSaving:
    """How many of the lost cases a step saves: those that are right when clean, and wrong as cases."""

    name: str
    n_lost: int
    n_saved: int


def fold_savings(cases: Iterable[JudgedCase]) -> list[FoldSaving]:
    """Return what each step saves alone, in the order of the fold, then what all save together.

    A model that reads folded texts answers a restored case as it answers the folded original. That this is
    its answer to the original itself is assumed: a fold changes few ordinary texts.
    """
    lost = [case for case in cases if case.is_clean_right and not case.is_right]
    n_saved = dict.fromkeys([*FOLDS, ALL], 0)
    for case in lost:
        for name in restoring_folds(case.original, case.case):
            n_saved[name] += 1
        n_saved[ALL] += fold(case.case) == fold(case.original)
    return [FoldSaving(name=name, n_lost=len(lost), n_saved=n) for name, n in n_saved.items()]
