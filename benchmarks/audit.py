"""Live attacks of an audit against TextAttack's, on one linear classifier: how many samples, and how fast.

Both sides may ask the same number of questions a sample and change the same share of its words. On both, a
sample counts as fooled by a case that passes our guard of labels; raw counts stand beside. Both are lean: one
process, one classifier with the same quick counter, nothing printed, nothing read from a cache.

    python -m benchmarks.audit --samples 100 -o FOLDER

writes `figures.json`, `readings.tsv`, up to 40 cases of each side in random order without saying whose they
are, and `key.tsv`, which says it.
"""

import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
import numpy as np

from benchmarks.ranks.independent import textattack_cases
from benchmarks.ranks.linear import PAIRS, train_linear
from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.filters.filter import FilterContext
from builder.label_guard.guards import Guard
from builder.models.resources import Resources
from builder.recipe.recipe import DEFAULT_FILTERS
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest, Source
from builder.searches.textattacks.differences import edits_between
from builder.tasks.task import Task, load_tasks
from builder.tasks.task_recipe import TaskRecipe
from builder.values.samples import Sample
from classifiers.machinery.inference import Inference
from contract.machine.json_text import pretty_json
from contract.schema.edits import changed_words, touched_words, words_of
from contract.schema.names import case_id
from contract.schema.records import Record

SHARES = (0.1, 0.2)
MAX_QUERIES = 400
READ = 40
# Our dimension, and the attack of TextAttack that makes such cases.
MATCHES = (("typo-general", "deepwordbug"), ("synonym", "pwws"))


@dataclass(frozen=True, kw_only=True)
class Side:
    """What one side reached at one share of words."""

    attack: str
    share: float
    n_attacked: int
    n_fooled: int
    n_fooled_raw: int
    queries_a_sample: float
    seconds_a_sample: float


@dataclass(frozen=True, kw_only=True)
class Tried:
    """The cases of one side that fool the classifier, and what they cost."""

    attack: str
    cases: list[Record]
    n_attacked: int
    n_queries: int
    seconds: float


@click.command()
@click.option("--samples", default=100, show_default=True)
@click.option("--train-rows", default=6000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("audit-benchmark"))
def main(samples: int, train_rows: int, seed: int, output: Path) -> None:
    """Attack a linear classifier of the packaged task from both sides."""
    from sklearn.linear_model import LogisticRegression

    recipe = TaskRecipe(name="mr", source="mr", samples=samples, train_rows=train_rows)
    (task,) = load_tasks((recipe,))
    classifier = train_linear(task.train, PAIRS, LogisticRegression(C=8.0, max_iter=1000))
    figures: list[Side] = []
    read: list[tuple[str, Record]] = []
    for dimension, attack in MATCHES:
        theirs = _theirs(Inference(classifier, "0" * 64, None), task, attack, dimension)
        # Theirs stops at the first case that fools: ours is also tried with about as many questions.
        n_asked = theirs.n_queries / max(1, theirs.n_attacked)
        allowed = _ours(Inference(classifier, "0" * 64, None), task, dimension, seed, MAX_QUERIES)
        matched = _ours(Inference(classifier, "0" * 64, None), task, dimension, seed, n_asked)
        for tried in (matched, allowed, theirs):
            passed = _guarded(tried.cases, dimension, task)
            figures += [_side(tried, passed, share) for share in SHARES]
            if tried is matched:
                continue
            chosen = list({record.sample_id: record for record in passed}.values())
            random.Random(seed).shuffle(chosen)
            read += [(tried.attack, record) for record in chosen[: READ // len(MATCHES)]]
        _say(figures[-3 * len(SHARES) :])
    output.mkdir(parents=True, exist_ok=True)
    text = pretty_json([asdict(side) for side in figures])
    (output / "figures.json").write_text(text, encoding="utf-8")
    _write_readings(output, read, task.info.labels, seed)


def _ours(inference: Inference, task: Task, dimension: str, seed: int, n_queries_allowed: float) -> Tried:
    """Return the cases of the live attack; both paths and the order of words together ask about so much."""
    n_words = float(np.mean([len(words_of(sample.text)) for sample in task.samples]))
    max_queries = max(1, int((n_queries_allowed - n_words) / 2))
    request = SearchRequest(
        task=task.info.name,
        perturbed="text",
        samples=task.samples,
        dimension=DIMENSIONS[dimension],
        degrees=(0.05, *SHARES),
        n_cases=1,
        seed=seed,
        resources=Resources(associations=task.associations),
        source=Source(name="model", inference=inference, max_queries=max_queries),
    )
    # Word lists and taggers are loaded once, whoever uses them: that is not counted.
    SEARCHES["score"].run(replace(request, samples=task.samples[:2]))
    n_before, start = inference.counts.n_distinct, time.process_time()
    found = SEARCHES["score"].run(request)
    seconds = time.process_time() - start
    n_queries = inference.counts.n_distinct - n_before
    return Tried(
        attack=f"live {dimension} ({max_queries} a path)",
        cases=_fooling(inference, found.records),
        n_attacked=_n_right(inference, task.samples),
        n_queries=n_queries,
        seconds=seconds,
    )


def _theirs(inference: Inference, task: Task, attack: str, dimension: str) -> Tried:
    """Return the cases of an attack of TextAttack as records of ours."""
    right = [
        sample
        for sample, vote in zip(task.samples, inference.votes(_pairs(task.samples)), strict=True)
        if vote == sample.label
    ]
    textattack_cases(attack, inference, right[:1], MAX_QUERIES)
    n_before, start = inference.counts.n_distinct, time.process_time()
    cases = textattack_cases(attack, inference, right, MAX_QUERIES)
    seconds = time.process_time() - start
    n_queries = inference.counts.n_distinct - n_before
    records = [
        _record(sample, case, dimension)
        for sample, case in zip(right, cases, strict=True)
        if case is not None
    ]
    return Tried(
        attack=f"textattack {attack}",
        cases=_fooling(inference, records),
        n_attacked=len(right),
        n_queries=n_queries,
        seconds=seconds,
    )


def _record(sample: Sample, case: str, dimension: str) -> Record:
    return Record(
        id=case_id(sample.id, dimension, "live", None, 0),
        sample_id=sample.id,
        text=case,
        original_text=sample.text,
        label=sample.label,
        task="mr",
        dimension=dimension,
        setting="live",
        degree=None,
        realised_degree=None,
        field="text",
        edits=tuple(("text", edit) for edit in edits_between(sample.text, case)),
    )


def _pairs(samples: Sequence[Sample]) -> list[tuple[str, str | None]]:
    return [(sample.text, sample.text_pair) for sample in samples]


def _n_right(inference: Inference, samples: Sequence[Sample]) -> int:
    votes = inference.votes(_pairs(samples))
    return sum(vote == sample.label for vote, sample in zip(votes, samples, strict=True))


def _fooling(inference: Inference, records: Sequence[Record]) -> list[Record]:
    votes = inference.votes([(record.text, record.text_pair) for record in records])
    return [record for record, vote in zip(records, votes, strict=True) if vote != record.label]


def _guarded(records: Sequence[Record], dimension: str, task: Task) -> list[Record]:
    """Return the cases that pass our filters and, where words are swapped, our guard of each swap."""
    part = DIMENSIONS[dimension]
    resources = Resources(associations=task.associations)
    kept = list(records)
    for name in DEFAULT_FILTERS:
        # What degree a case has is no question of its label.
        if name == "degree" or part.level not in FILTERS[name].levels:
            continue
        context = FilterContext(
            dimension=part, degrees=SHARES, thresholds=FILTERS[name].thresholds, resources=resources
        )
        reasons = FILTERS[name].check(context, kept)
        kept = [record for record, reason in zip(kept, reasons, strict=True) if reason is None]
    if part.level != "word":
        return kept
    guard = Guard(task.associations)
    return [record for record in kept if all(_is_allowed(guard, record))]


def _is_allowed(guard: Guard, record: Record) -> Iterator[bool]:
    edits = [edit for _, edit in record.edits]
    for before, after in changed_words(record.unperturbed_text, edits):
        refusal = guard.refusal(before.lower(), after.lower(), label=record.label, is_close=True)
        yield refusal is None


def _side(tried: Tried, passed: Sequence[Record], share: float) -> Side:
    return Side(
        attack=tried.attack,
        share=share,
        n_attacked=tried.n_attacked,
        n_fooled=len({record.sample_id for record in passed if _is_within(record, share)}),
        n_fooled_raw=len({record.sample_id for record in tried.cases if _is_within(record, share)}),
        queries_a_sample=round(tried.n_queries / max(1, tried.n_attacked), 1),
        seconds_a_sample=round(tried.seconds / max(1, tried.n_attacked), 5),
    )


def _is_within(record: Record, share: float) -> bool:
    """Tell whether no more words are changed than the share allows, rounded up as our budgets are."""
    words = words_of(record.unperturbed_text)
    n_changed = len(touched_words(words, [edit for _, edit in record.edits]))
    return n_changed <= math.ceil(share * len(words))


def _say(sides: Sequence[Side]) -> None:
    for side in sides:
        click.echo(
            f"{side.attack:32} share {side.share:g}: {side.n_fooled} of {side.n_attacked} fooled"
            f" ({side.n_fooled_raw} raw), {side.queries_a_sample:g} queries and"
            f" {1000 * side.seconds_a_sample:.1f} ms a sample"
        )
    first, last = sides[0], sides[-1]
    a_sample = last.seconds_a_sample / max(first.seconds_a_sample, 1e-9)
    a_query = a_sample * first.queries_a_sample / max(last.queries_a_sample, 1e-9)
    click.echo(f"TextAttack takes {a_sample:.1f} times as long a sample, {a_query:.1f} times a question")


def _write_readings(folder: Path, read: list[tuple[str, Record]], labels: Sequence[str], seed: int) -> None:
    """Write cases in random order for readers, and apart from them whose they are."""
    random.Random(seed).shuffle(read)
    head = "number\tlabel\toriginal\tcase\tis the label still right? (y/n)\n"
    rows = [
        f"{number}\t{labels[record.label]}\t{_line(record.unperturbed_text)}\t{_line(record.perturbed_text)}\t\n"
        for number, (_, record) in enumerate(read, start=1)
    ]
    (folder / "readings.tsv").write_text(head + "".join(rows), encoding="utf-8")
    key = [f"{number}\t{attack}\t{record.id}\n" for number, (attack, record) in enumerate(read, start=1)]
    (folder / "key.tsv").write_text("number\tattack\tid\n" + "".join(key), encoding="utf-8")


def _line(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


if __name__ == "__main__":
    main()
