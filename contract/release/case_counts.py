"""How many different cases samples have, in releases that want many of each."""

from collections.abc import Iterator
from typing import NamedTuple

from contract.schema.manifest import Manifest

# With so few wanted, nearly all samples have them all.
FEW_CASES = 10


class CasesOfSamples(NamedTuple):
    """The cases of a sample in a dimension and setting, by degree, in the mean of the samples with any."""

    task: str
    dimension: str
    setting: str
    n_wanted: int
    by_degree: dict[float, float]


def cases_of_samples(manifest: Manifest) -> Iterator[CasesOfSamples]:
    """Yield how many cases samples have, where the recipe wants many."""
    wanted = manifest.recipe.get("cases")
    n_wanted = wanted.get("rule") if isinstance(wanted, dict) else None
    if not isinstance(n_wanted, int) or n_wanted <= FEW_CASES:
        return
    cells: dict[tuple[str, str], dict[float, float]] = {}
    for row in manifest.funnel:
        if row.setting == "rule" and row.degree is not None and row.n_samples_frozen:
            means = cells.setdefault((row.task, row.dimension), {})
            means[row.degree] = row.n_frozen / row.n_samples_frozen
    for (task, dimension), means in cells.items():
        yield CasesOfSamples(task, dimension, "rule", n_wanted, means)
