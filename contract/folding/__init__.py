"""Folding: takes back what hides words from a filter and not from people. One public function, `fold`."""

from contract.folding.fold import FOLDS, Fold, fold, restoring_folds

__all__ = ["FOLDS", "Fold", "fold", "restoring_folds"]
