"""Measure the score attack: against TextAttack, against the forward pass, with and without the cascade.

Run it as `python -m benchmarks.attack`: one run, the same classifiers and samples for all.
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import click

from benchmarks.attack_bench import Bench, recipe_of, search
from benchmarks.attack_peers import compare
from benchmarks.forward import transformer_limit
from benchmarks.shares import Method, seconds_by_model
from builder.dimensions import CORE_DIMENSIONS, DIMENSIONS
from builder.run.options import ExecutionOptions
from builder.run.pipeline import build
from builder.units.planning import SAMPLES_PER_UNIT, plan_so_far
from builder.units.store import UnitStore
from builder.units.units import CaseUnit
from contract.machine.cache_folder import cache_path
from contract.machine.progress import Silence

DIMENSION = "typo-general"
SURROGATES = ("word-tfidf", "char-tfidf", "minilm")
# Of the texts that the attack asked about, how many the limit is measured on.
TEXTS_FOR_THE_LIMIT = 2048
GROWTH_REPEATS = 7
# Padded tensors in, probabilities out: neither tokenising nor sorting nor padding.
FORWARD = {"forward": Method("classifiers.machinery.transformer", "Transformer", "_forward")}


@click.command()
@click.option("--samples", "n_samples", default=100, show_default=True, help="Sentences to attack.")
@click.option("--stock", "n_stock", default=8, show_default=True, help="Sentences for the slow wrapper.")
@click.option("--growth", default="50,100,200,400", show_default=True, help="Numbers of samples to grow by.")
@click.option("--only", type=click.Choice(["a", "b", "c", "d"]), multiple=True, help="Parts to run.")
@click.option("--grow", "grow_to", type=int, hidden=True)
def main(n_samples: int, n_stock: int, growth: str, only: Sequence[str], grow_to: int | None) -> None:
    """Print four tables: peers, forward pass, cascade and growth."""
    if grow_to is not None:
        _grow_here(grow_to, int(growth))
        return
    bench = Bench.prepare(n_samples, SURROGATES)
    parts: dict[str, Callable[[], None]] = {
        "a": lambda: _peers(bench, n_stock),
        "b": lambda: _forward_pass(bench),
        "c": lambda: _cascade(n_samples),
        "d": lambda: _growth([int(each) for each in growth.split(",")]),
    }
    for name, part in parts.items():
        if not only or name in only:
            part()


def _peers(bench: Bench, n_stock: int) -> None:
    click.echo("(a) one walk a sample through all degrees; theirs stops where the source is fooled")
    compare(bench, "word-tfidf", bench.samples, n_stock=0, n_repeats=3)
    compare(bench, "minilm", bench.samples[: len(bench.samples) // 2], n_stock=n_stock, n_repeats=2)


def _forward_pass(bench: Bench) -> None:
    """Print how much of our attack's time the transformer takes, and its rate against two limits."""
    search(bench.source("minilm"), "minilm", DIMENSIONS[DIMENSION], bench.samples[:1])
    inference = bench.source("minilm")
    samples = bench.samples[: len(bench.samples) // 2]
    with seconds_by_model(FORWARD) as spent:
        start = time.perf_counter()
        search(inference, "minilm", DIMENSIONS[DIMENSION], samples)
        seconds = time.perf_counter() - start
    classifier: Any = inference.classifier
    texts = random.Random(0).sample(inference.texts, min(TEXTS_FOR_THE_LIMIT, len(inference.texts)))
    limit = transformer_limit(classifier, texts, repeats=2)
    rate = inference.counts.n_computed / seconds
    click.echo(
        f"(b) the attack on minilm, {len(samples)} sentences, {inference.counts.n_computed} texts;"
        " the limit is its length-bucketed fp32 forward pass on the same texts"
    )
    click.echo(
        f"share of the attack's time: asking, tokenising included {inference.counts.seconds / seconds:.3f},"
        f" forward pass alone {spent['forward'] / seconds:.3f}"
    )
    for title, best in (("with tokenising", limit.with_tokenising), ("forward pass alone", limit.forward)):
        click.echo(f"texts/s  attack {rate:.0f}, limit {title} {best:.0f}, ratio {rate / best:.3f}")


def _cascade(n_samples: int) -> None:
    """Print what the transformer is asked for one frozen case of a whole build, with and without order."""
    recipe = recipe_of(n_samples, SURROGATES, list(CORE_DIMENSIONS))
    with tempfile.TemporaryDirectory() as folder:
        manifest = build(recipe, Path(folder) / "release", Silence(), ExecutionOptions.with_workers(2))
    shown = texts_shown(plan_so_far(recipe).case_units, UnitStore(cache_path=cache_path()))
    click.echo("(c) questions to minilm for one frozen transferable case; without the cascade, a question")
    click.echo("about each different text that the filters leave")
    for title, dimensions in {DIMENSION: [DIMENSION], "all dimensions": list(CORE_DIMENSIONS)}.items():
        n_frozen = sum(funnel.n_frozen for funnel in manifest.funnel if funnel.dimension in dimensions)
        n_shown = sum(shown[dimension] for dimension in dimensions)
        n_asked = sum(
            entry.n_screening
            for entry in manifest.queries
            if entry.surrogate == "minilm" and entry.dimension in dimensions
        )
        click.echo(
            f"{title:16s} with the cascade {n_asked / n_frozen:.2f}, without {n_shown / n_frozen:.2f},"
            f" share {n_asked / n_shown:.3f}; {n_shown} texts, {n_frozen} frozen"
        )


def texts_shown(units: Sequence[CaseUnit], store: UnitStore) -> Counter[str]:
    """Return for each dimension how many different texts its finished attacks bring before the panel."""
    texts: dict[str, set[tuple[str, str | None]]] = defaultdict(set)
    for unit in units:
        for degree in unit.degrees if unit.attack is not None else ():
            cases = store.cases(unit, degree, ["text", "text_pair"]).to_pydict()
            texts[unit.dimension].update(zip(cases["text"], cases["text_pair"], strict=True))
    return Counter({dimension: len(own) for dimension, own in texts.items()})


def _growth(sizes: Sequence[int]) -> None:
    """Print time and memory for more and more samples; each run is a process, the best of several counts."""
    click.echo("(d) growth on word-tfidf, three cases a sample, samples of like lengths")
    click.echo(f"{'samples':>8s} {'seconds':>9s} {'ms/sample':>10s} {'µs/query':>10s} {'peak MB':>9s}")
    most = max(sizes)
    runs = [_grown(size, most) for _ in range(GROWTH_REPEATS) for size in sizes]
    best = [min(runs[place :: len(sizes)], key=itemgetter("seconds")) for place in range(len(sizes))]
    for size, run in zip(sizes, best, strict=True):
        seconds, per_query = run["seconds"], 1e6 * run["seconds"] / run["queries"]
        click.echo(
            f"{size:8d} {seconds:9.2f} {1e3 * seconds / size:10.2f} {per_query:10.1f} {run['megabytes']:9.0f}"
        )
    a_sample = [run["seconds"] / size for size, run in zip(sizes, best, strict=True)]
    usual = statistics.mean(a_sample)
    memory = [run["megabytes"] for run in best]
    click.echo(
        f"time is off a straight line by {max(abs(own / usual - 1) for own in a_sample):.0%} at most,"
        f" the most samples take {memory[-1] / memory[0] - 1:+.0%} memory"
    )


def _grown(size: int, most: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.attack", "--grow", str(size), "--growth", str(most)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _grow_here(size: int, most: int) -> None:
    bench = Bench.prepare(most, ["word-tfidf"])
    # Every so-manyth by length: what is compared is how many there are, not which.
    by_length = sorted(bench.samples, key=lambda sample: (len(sample.text), sample.id))
    kept = {by_length[place * most // size].id for place in range(size)}
    samples = [sample for sample in bench.samples if sample.id in kept]
    inference = bench.source("word-tfidf")
    search(inference, "word-tfidf", DIMENSIONS[DIMENSION], samples[:1])
    n_before = inference.counts.n_distinct
    start = time.perf_counter()
    for first in range(0, size, SAMPLES_PER_UNIT):
        # A unit's cases are written to disk; none are kept here either.
        some = samples[first : first + SAMPLES_PER_UNIT]
        search(inference, "word-tfidf", DIMENSIONS[DIMENSION], some, n_cases=3)
        inference.texts.clear()
    seconds = time.perf_counter() - start
    n_queries = inference.counts.n_distinct - n_before
    click.echo(json.dumps({"seconds": seconds, "queries": n_queries, "megabytes": _peak_megabytes()}))


def _peak_megabytes() -> float:
    """Return the most memory this process has held; unlike rusage it does not begin with the parent's."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


if __name__ == "__main__":
    main()
