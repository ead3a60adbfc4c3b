"""Cases per second of every dimension on one core, beside TextAttack's augmenter on the same operations.

Run with every extra installed: python -m benchmarks.generate [--samples N] [--cases N]
"""

import argparse
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from builder.dimensions import DIMENSIONS
from builder.recipe import TaskRecipe
from builder.samples import Sample
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest
from builder.tasks import load_tasks

DEGREE = 0.1
# TextAttack's augmenter wants a stop-word list that NLTK would download; it only decides what is skipped.
STOP_WORDS = ("the", "a", "an", "of", "to", "and", "in", "is", "it", "that")


def main() -> None:
    """Print one line a dimension: cases, seconds, cases per second, and the ratio to TextAttack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--cases", type=int, default=5)
    options = parser.parse_args()
    # One core for both sides, whatever threads their libraries would start.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    (task,) = load_tasks((TaskRecipe(name="mr", source="mr", samples=options.samples),))
    theirs = _textattack_rate(task.samples, options.cases)
    print(f"{'':<22}{'cases':>8}{'seconds':>10}{'cases/s':>10}{'ratio':>8}")
    print(f"{'TextAttack augmenter':<22}{theirs.n:>8}{theirs.seconds:>10.2f}{theirs.rate:>10.1f}{1:>8.1f}")
    for name in DIMENSIONS:
        ours = _our_rate(name, task.samples, options.cases)
        ratio = ours.rate / theirs.rate
        print(f"{name:<22}{ours.n:>8}{ours.seconds:>10.2f}{ours.rate:>10.1f}{ratio:>8.1f}")


class Timed:
    """How many cases took how long."""

    def __init__(self, make: Callable[[], int]) -> None:
        start = time.perf_counter()
        self.n = make()
        self.seconds = time.perf_counter() - start

    @property
    def rate(self) -> float:
        """Cases per second."""
        return self.n / self.seconds


def _our_rate(name: str, samples: list[Sample], n_cases: int) -> Timed:
    """Time the rule search at one degree, after one sample has loaded what must be loaded."""
    dimension = DIMENSIONS[name]
    degree = min(dimension.degrees, key=lambda degree: abs(degree - DEGREE))

    def search(some: list[Sample]) -> int:
        request = SearchRequest(
            task="mr",
            perturbed="text",
            samples=some,
            dimension=dimension,
            degrees=(degree,),
            n_cases=n_cases,
            seed=1,
        )
        return len(SEARCHES["rule"].run(request).records)

    search(samples[:1])
    return Timed(lambda: search(samples))


def _textattack_rate(samples: list[Sample], n_cases: int) -> Timed:
    """Time TextAttack's augmenter with its own character operations, at the same degree."""
    home = Path(tempfile.mkdtemp(prefix="textattack-"))
    (home / "nltk/corpora/stopwords").mkdir(parents=True)
    (home / "nltk/corpora/stopwords/english").write_text("\n".join(STOP_WORDS), encoding="utf-8")
    (home / "post_install_check_3").touch()
    os.environ["NLTK_DATA"], os.environ["TA_CACHE_DIR"] = str(home / "nltk"), str(home)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from textattack.augmentation import Augmenter  # noqa: PLC0415
        from textattack.transformations import (  # noqa: PLC0415
            CompositeTransformation,
            WordSwapNeighboringCharacterSwap,
            WordSwapQWERTY,
            WordSwapRandomCharacterDeletion,
            WordSwapRandomCharacterInsertion,
        )

    operations = CompositeTransformation(
        [
            WordSwapNeighboringCharacterSwap(),
            WordSwapQWERTY(),
            WordSwapRandomCharacterDeletion(),
            WordSwapRandomCharacterInsertion(),
        ]
    )
    augmenter = Augmenter(
        transformation=operations, pct_words_to_swap=DEGREE, transformations_per_example=n_cases
    )
    augmenter.augment(samples[0].text)
    return Timed(lambda: sum(len(augmenter.augment(sample.text)) for sample in samples))


if __name__ == "__main__":
    main()
