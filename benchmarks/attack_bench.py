"""What benchmarks of attacks stand on: samples of `mr`, trained surrogates, our search as a build runs it."""

from collections.abc import Sequence
from dataclasses import dataclass

from builder.operations.dimension import AnyDimension
from builder.recipe.recipe import Recipe
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest, Source
from builder.surrogates.loading import surrogate_of
from builder.surrogates.ready import make_ready
from builder.surrogates.training import training_jobs
from builder.tasks.task import load_tasks
from builder.units.planning import SAMPLES_PER_UNIT
from builder.values.samples import Sample
from classifiers.machinery.classifier import Probabilities, TextPair
from classifiers.machinery.inference import Inference
from contract.machine.cache_folder import cache_path
from contract.schema.records import Record


def recipe_of(n_samples: int, surrogates: Sequence[str], dimensions: Sequence[str]) -> Recipe:
    """Return a recipe of score attacks on some samples of `mr`."""
    return Recipe.model_validate(
        {
            "name": "attack",
            "version": "1",
            "seed": 1,
            "tasks": [{"name": "mr", "source": "mr", "samples": n_samples}],
            "dimensions": list(dimensions),
            "settings": ["score"] if len(surrogates) > 1 else ["rule"],
            "surrogates": list(surrogates),
        }
    )


class NotingInference(Inference):
    """An inference that keeps no answer, and notes the texts that it computed."""

    def __init__(self, known: Inference) -> None:
        super().__init__(known.classifier, known.weights_sha256, None)
        self.texts: list[TextPair] = []

    def _compute(self, texts: Sequence[TextPair]) -> Probabilities:
        self.texts += texts
        return super()._compute(texts)


@dataclass(frozen=True)
class Bench:
    """The samples and the trained surrogates."""

    samples: list[Sample]
    weights: dict[str, str]

    @classmethod
    def prepare(cls, n_samples: int, surrogates: Sequence[str]) -> "Bench":
        """Train the surrogates on `mr`, or take them from the cache."""
        recipe = recipe_of(n_samples, surrogates, ["typo-general"])
        tasks = load_tasks(recipe.tasks)
        infos = [make_ready(job, cache_path()).info for job in training_jobs(recipe, tasks)]
        return cls(samples=list(tasks[0].samples), weights={info.name: info.weights_sha256 for info in infos})

    def source(self, name: str) -> NotingInference:
        """Return a surrogate that knows no answer of before."""
        return NotingInference(surrogate_of(cache_path(), self.weights[name]))


def search(
    inference: Inference, name: str, dimension: AnyDimension, samples: Sequence[Sample], n_cases: int = 1
) -> list[Record]:
    """Attack in units, as a build does, and return the cases before any filter."""
    found: list[Record] = []
    for start in range(0, len(samples), SAMPLES_PER_UNIT):
        request = SearchRequest(
            task="mr",
            perturbed="text",
            samples=samples[start : start + SAMPLES_PER_UNIT],
            dimension=dimension,
            degrees=dimension.degrees,
            n_cases=n_cases,
            seed=1,
            source=Source(name=name, inference=inference),
        )
        found.extend(SEARCHES["score"].run(request).records)
    return found
