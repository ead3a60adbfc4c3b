"""Measure the score attack: against TextAttack, against the forward pass, with and without the cascade.

Run it as `python -m benchmarks.attack`: one run, the same classifiers and samples for all.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click

from benchmarks.forward import transformer_limit
from builder import associations
from builder.dimensions import DIMENSIONS
from builder.recipe import Recipe
from builder.resources import Resources
from builder.samples import Sample
from builder.screening import screen_cases
from builder.searches import SEARCHES
from builder.searches.search import Findings, SearchRequest, Victim
from builder.surrogates import prepare, surrogate_of, training_jobs
from builder.tasks import load_tasks
from builder.textattacks.attacks import Target, build_attack
from builder.textattacks.offline import quiet, textattack_imports
from builder.units import Attack, CaseUnit, ScreenUnit, Weights
from classifiers.inference import Inference
from contract.files import cache_path

DIMENSION = "typo-general"
SURROGATES = ("word-tfidf", "char-tfidf", "minilm")
SAMPLES_A_UNIT = 64


@dataclass(frozen=True)
class Run:
    """What an attack took and found."""

    seconds: float
    n_queries: int
    n_successes: int
    n_samples: int

    @property
    def row(self) -> str:
        """The figures as columns."""
        per_case = self.seconds / self.n_successes if self.n_successes else float("nan")
        rate = self.n_queries / self.seconds
        share = self.n_successes / self.n_samples
        return f"{self.n_samples:5d} {self.seconds:9.2f} {rate:11,.0f} {share:8.2f} {per_case:12.4f}"


@click.command()
@click.option("--samples", "n_samples", default=100, show_default=True, help="Sentences to attack.")
@click.option("--stock", "n_stock", default=8, show_default=True, help="Sentences for the slow wrapper.")
@click.option("--growth", default="50,100,200,400", show_default=True, help="Numbers of samples to grow by.")
@click.option("--only", type=click.Choice(["a", "b", "c", "d"]), multiple=True, help="Parts to run.")
@click.option("--grow", "grow_to", type=int, hidden=True)
def main(n_samples: int, n_stock: int, growth: str, only: Sequence[str], grow_to: int | None) -> None:
    """Print four tables: peers, forward pass, cascade and growth."""
    if grow_to is not None:
        _grow_here(grow_to)
        return
    bench = Bench.prepare(n_samples)
    parts: dict[str, Callable[[], None]] = {
        "a": lambda: bench.against_textattack(n_stock),
        "b": bench.against_the_forward_pass,
        "c": bench.cascade,
        "d": lambda: _growth([int(each) for each in growth.split(",")]),
    }
    for name, part in parts.items():
        if not only or name in only:
            part()


@dataclass(frozen=True)
class Bench:
    """The samples and the trained surrogates."""

    samples: list[Sample]
    weights: dict[str, str]
    associations: str

    @classmethod
    def prepare(cls, n_samples: int, surrogates: Sequence[str] = SURROGATES) -> "Bench":
        """Train the surrogates on `mr`, or take them from the cache."""
        recipe = Recipe.model_validate(
            {
                "name": "attack",
                "version": "1",
                "tasks": [{"name": "mr", "source": "mr", "samples": n_samples}],
                "dimensions": [DIMENSION],
                "surrogates": list(surrogates),
            }
        )
        tasks = load_tasks(recipe.tasks)
        infos = [prepare(job, cache_path()) for job in training_jobs(recipe, tasks)]
        word_list = associations.keep(cache_path(), associations.learn(tasks[0].train, 2))
        return cls(
            samples=list(tasks[0].samples),
            weights={info.name: info.weights_sha256 for info in infos},
            associations=word_list,
        )

    def source(self, name: str) -> Inference:
        """Return a surrogate that remembers nothing of what it was asked before."""
        known = surrogate_of(cache_path(), self.weights[name])
        return Inference(known.classifier, known.weights_sha256, None)

    def against_textattack(self, n_stock: int) -> None:
        """Print our attack beside DeepWordBug and a greedy swap of synonyms, with both wrappers."""
        heading = f"{'':38s} {'n':>5s} {'seconds':>9s} {'queries/s':>11s} {'success':>8s} {'s/success':>12s}"
        click.echo(f"(a) one case a sample against one source, one core\n{heading}")
        for name in ("word-tfidf", "minilm"):
            few = (
                self.samples if name == "word-tfidf" else self.samples[: max(n_stock, len(self.samples) // 2)]
            )
            runs = {
                f"{name} hardfrost {DIMENSION}": self.ours(name, DIMENSION, few),
                f"{name} hardfrost synonym": self.ours(name, "synonym", few),
                f"{name} textattack-lean deepwordbug": self.theirs(name, "deepwordbug", few),
                f"{name} textattack-lean greedy synonyms": self.theirs(name, "textfooler", few),
            }
            if name == "minilm":
                stock = self.samples[:n_stock]
                runs[f"{name} textattack-stock deepwordbug"] = self.theirs(
                    name, "deepwordbug", stock, is_stock=True
                )
            for title, run in runs.items():
                click.echo(f"{title:38s} {run.row}")
            _print_ratios(runs)

    def ours(self, name: str, dimension: str, samples: Sequence[Sample]) -> Run:
        """Time our attack; a sample counts as a success when a case of any degree fools the source."""
        inference = self.source(name)
        start = time.perf_counter()
        findings = _search(inference, name, dimension, samples)
        seconds = time.perf_counter() - start
        votes = inference.votes([(record.text, None) for record in findings.records])
        fooled = {
            record.sample_id
            for record, vote in zip(findings.records, votes, strict=True)
            if vote != record.label
        }
        return Run(seconds, inference.counts.n_distinct, len(fooled), len(samples))

    def theirs(
        self, name: str, attack_name: str, samples: Sequence[Sample], *, is_stock: bool = False
    ) -> Run:
        """Time TextAttack's attack, with our lean wrapper or with its own."""
        with textattack_imports():
            from textattack.attack_results import SuccessfulAttackResult  # noqa: PLC0415

        inference = self.source(name)
        target = Target(inference=inference, resources=Resources(), label=0, max_queries=100_000)
        build_attack(attack_name, target)
        start = time.perf_counter()
        n_queries = n_successes = 0
        for sample in samples:
            attack = build_attack(attack_name, replace(target, label=sample.label))
            if is_stock:
                attack.goal_function.model = _stock_wrapper(inference)
            with quiet():
                result = attack.attack(sample.text, sample.label)
            n_queries += result.num_queries
            n_successes += isinstance(result, SuccessfulAttackResult)
        return Run(time.perf_counter() - start, n_queries, n_successes, len(samples))

    def against_the_forward_pass(self) -> None:
        """Print how much of our attack's time the transformer takes, and its rate against the limit."""
        inference = self.source("minilm")
        start = time.perf_counter()
        _search(inference, "minilm", DIMENSION, self.samples[: len(self.samples) // 2], n_cases=1)
        seconds = time.perf_counter() - start
        classifier: Any = inference.classifier
        limit = transformer_limit(
            classifier, [(sample.text, None) for sample in self.samples]
        ).with_tokenising
        rate = inference.counts.n_computed / seconds
        click.echo("(b) the attack on minilm against the length-bucketed fp32 forward pass")
        click.echo(f"time inside the forward pass  {inference.counts.seconds / seconds:.3f} of the attack's")
        click.echo(f"texts/s  attack {rate:.0f}, limit {limit:.0f}, ratio {rate / limit:.3f}")

    def cascade(self) -> None:
        """Print how many questions the transformer is asked for one frozen case, with and without order."""
        n_asked = n_candidates = n_kept = 0
        surrogates = tuple(Weights(name=name, sha256=self.weights[name]) for name in SURROGATES)
        for number, name in enumerate(SURROGATES[:2]):
            unit = self._unit(name, first_case=3 * number)
            findings = _search(self.source(name), name, DIMENSION, self.samples, n_cases=3)
            screen = ScreenUnit(cases=unit, surrogates=surrogates, min_fooled=1.0)
            screening = screen_cases(screen, findings.records, cache_path())
            n_asked += screening.n_queries["minilm"]
            n_candidates += len(findings.records)
            n_kept += sum(verdict.reason is None for verdict in screening.verdicts)
        click.echo("(c) questions to minilm for one transferable case")
        click.echo(f"with the cascade {n_asked / n_kept:.2f}, without {n_candidates / n_kept:.2f},")
        click.echo(f"share {n_asked / n_candidates:.3f}; {n_candidates} candidates, {n_kept} transferable")

    def _unit(self, source: str, *, first_case: int) -> CaseUnit:
        dimension = DIMENSIONS[DIMENSION]
        return CaseUnit(
            task="mr",
            perturbed="text",
            samples=tuple(self.samples),
            dimension=DIMENSION,
            degrees=dimension.degrees,
            setting="score",
            n_cases=3,
            seed=1,
            filters=(),
            associations=self.associations,
            resources=Resources(),
            attack=Attack(
                source=Weights(name=source, sha256=self.weights[source]),
                screener=None,
                max_queries=1000,
                first_case=first_case,
            ),
        )


def _search(
    inference: Inference, name: str, dimension: str, samples: Sequence[Sample], n_cases: int = 1
) -> Findings:
    """Attack in units, as a build does."""
    part = DIMENSIONS[dimension]
    found = Findings(records=[], tallies={})
    for start in range(0, len(samples), SAMPLES_A_UNIT):
        request = SearchRequest(
            task="mr",
            perturbed="text",
            samples=samples[start : start + SAMPLES_A_UNIT],
            dimension=part,
            degrees=part.degrees,
            n_cases=n_cases,
            seed=1,
            attacked=Victim(name=name, inference=inference),
        )
        found.records.extend(SEARCHES["score"].run(request).records)
    return found


def _stock_wrapper(inference: Inference) -> Any:
    """Return what TextAttack's own wrapper does with the same network: it pads every text to 512 pieces.

    Not its class, which takes only transformers' own outputs.
    """
    with textattack_imports():
        import torch  # noqa: PLC0415
        from textattack.models.wrappers import ModelWrapper  # noqa: PLC0415

    classifier: Any = inference.classifier

    class Padding(ModelWrapper):  # type: ignore[misc]
        """Asks with the longest padding."""

        model = classifier.model

        def __call__(self, texts: Sequence[str], **_options: Any) -> Any:
            encoded = classifier.tokenizer(
                list(texts), padding="max_length", max_length=512, truncation=True, return_tensors="pt"
            )
            with torch.no_grad():
                return classifier.model(**encoded).logits.softmax(dim=1)

    return Padding()


def _print_ratios(runs: dict[str, Run]) -> None:
    """Print our seconds for a success against each of theirs."""
    titles = list(runs)
    for theirs in titles[2:]:
        ours = titles[1] if "synonyms" in theirs else titles[0]
        mine, other = runs[ours], runs[theirs]
        seconds = (other.seconds / other.n_successes) / (mine.seconds / mine.n_successes)
        rates = (mine.n_queries / mine.seconds) / (other.n_queries / other.seconds)
        click.echo(
            f"{theirs}: {seconds:.1f} times our seconds a success; our queries/s {rates:.1f} times theirs"
        )


def _growth(sizes: Sequence[int]) -> None:
    """Print time and memory for more and more samples, each in a process of its own."""
    click.echo("(d) growth on word-tfidf, three cases a sample")
    click.echo(f"{'samples':>8s} {'seconds':>9s} {'s/sample':>10s} {'peak MB':>9s}")
    for size in sizes:
        command = [sys.executable, "-m", "benchmarks.attack", "--grow", str(size)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found = json.loads(done.stdout.splitlines()[-1])
        per_sample = found["seconds"] / size
        click.echo(f"{size:8d} {found['seconds']:9.2f} {per_sample:10.4f} {found['megabytes']:9.0f}")


def _grow_here(size: int) -> None:
    bench = Bench.prepare(400, ["word-tfidf"])
    samples = (bench.samples * (size // len(bench.samples) + 1))[:size]
    inference = bench.source("word-tfidf")
    _search(inference, "word-tfidf", DIMENSION, samples[:1])
    start = time.perf_counter()
    for first in range(0, size, SAMPLES_A_UNIT):
        _search(inference, "word-tfidf", DIMENSION, samples[first : first + SAMPLES_A_UNIT], n_cases=3)
    seconds = time.perf_counter() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    click.echo(json.dumps({"seconds": seconds, "megabytes": megabytes}))


if __name__ == "__main__":
    main()
