"""How far cases are from their originals, in characters."""

from pathlib import Path

import pyarrow.compute as pc
from rapidfuzz.distance import Levenshtein

from contract.machine.memory import lean_file
from contract.schema.records import ROWS_AT_A_TIME

_TEXTS = ("text", "text_pair")
DIGITS = 6


def mean_edit_distance(path: Path) -> float | None:
    """Return the mean over a file's cases of edits a character of the original; None without originals.

    The field that was perturbed counts.
    """
    total, n_cases = 0.0, 0
    names = ["field", *_TEXTS, *(f"original_{name}" for name in _TEXTS)]
    for batch in lean_file(path).iter_batches(ROWS_AT_A_TIME, columns=names, use_threads=False):
        for field in _TEXTS:
            # Where no field is named, it is the first.
            chosen = batch.filter(pc.equal(pc.fill_null(batch["field"], _TEXTS[0]), field))
            pairs = zip(chosen[f"original_{field}"].to_pylist(), chosen[field].to_pylist(), strict=True)
            for original, text in pairs:
                if original:
                    total += Levenshtein.distance(original, text or "") / len(original)
                    n_cases += 1
    return round(total / n_cases, DIGITS) if n_cases else None
