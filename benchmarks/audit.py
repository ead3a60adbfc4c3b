"""Live attacks of an audit against TextAttack's, on one linear classifier: how many samples, and how fast.

Both sides attack the samples that the classifier has right, may ask the same number of questions a sample and
change the same share of its words. On both, a sample counts as fooled by a case that passes all that guards
labels in a build: the filters, the guard of words and, where words are swapped, the judge of substitutions.
The counts without the judge, and raw ones, stand beside. Both are lean: one process, one classifier with the
same quick counter, nothing printed, nothing read from a cache.

    python -m benchmarks.audit --samples 400 -o FOLDER

writes `figures.json` and, for each pair of attacks, `readings-DIMENSION.tsv`: up to 40 cases of each side
that pass without the judge and 10 texts that nobody changed, in random order, without saying whose they are.
The file `key-DIMENSION.tsv` says it.
"""

import gc
import math
import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import click
import numpy as np

from benchmarks.audit_guards import guarded, judged, write_readings
from benchmarks.ranks.independent import textattack_cases
from benchmarks.ranks.linear import PAIRS, train_linear
from builder.live.remembering import remembering
from builder.models.resources import Resources
from builder.operations.dimension import AnyDimension, Dimension, WordsOfText
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest, Source
from builder.searches.textattacks.differences import edits_between
from builder.tasks.task import Task, load_tasks
from builder.tasks.task_recipe import TaskRecipe
from builder.values.samples import Sample
from classifiers.machinery.inference import Inference
from contract.machine.json_text import pretty_json
from contract.schema.edits import touched_words, words_of
from contract.schema.names import case_id
from contract.schema.records import Record

SHARES = (0.1, 0.2)
MAX_QUERIES = 400
READ, CONTROLS = 40, 10
# Our dimension, and the attack of TextAttack that makes such cases.
MATCHES = (("typo-general", "deepwordbug"), ("synonym", "pwws"))


@dataclass(frozen=True, kw_only=True)
class Side:
    """What one side reached at one share of words: by all guards, without the judge, and raw."""

    attack: str
    share: float
    n_attacked: int
    n_fooled: int
    n_fooled_without_judge: int
    n_fooled_raw: int
    queries_a_sample: float
    milliseconds_a_sample: float
    # Of these, what it takes to find the changes that a text allows, once whatever attacks it then.
    milliseconds_for_proposals: float


@dataclass(frozen=True, kw_only=True)
class Tried:
    """The cases of one side that fool the classifier, and what they cost."""

    attack: str
    cases: list[Record]
    n_attacked: int
    n_queries: int
    seconds: float
    seconds_for_proposals: float = 0.0


@click.command()
@click.option("--samples", default=400, show_default=True)
@click.option("--train-rows", default=6000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("audit-benchmark"))
def main(samples: int, train_rows: int, seed: int, output: Path) -> None:
    """Attack a linear classifier of the packaged task from both sides."""
    with tempfile.TemporaryDirectory() as folder:
        # Nobody finds an answer of an earlier run.
        os.environ["HARDFROST_CACHE"] = folder
        _compare(samples, train_rows, seed, output)


def _compare(samples: int, train_rows: int, seed: int, output: Path) -> None:
    from sklearn.linear_model import LogisticRegression

    recipe = TaskRecipe(name="mr", source="mr", samples=samples, train_rows=train_rows)
    (whole,) = load_tasks((recipe,))
    classifier = train_linear(whole.train, PAIRS, LogisticRegression(C=8.0, max_iter=1000))
    votes = Inference(classifier, "0" * 64, None).votes(_pairs(whole.samples))
    right = [sample for sample, vote in zip(whole.samples, votes, strict=True) if vote == sample.label]
    task = replace(whole, samples=right)
    output.mkdir(parents=True, exist_ok=True)
    figures: list[Side] = []
    for dimension, attack in MATCHES:
        theirs = _theirs(Inference(classifier, "0" * 64, None), task, attack, dimension)
        # Theirs stops at the first case that fools: ours is also tried with about as many questions.
        n_asked = theirs.n_queries / max(1, theirs.n_attacked)
        part, seconds = _with_proposals(task, dimension)
        ours = partial(_ours, task=task, part=part, seconds_for_proposals=seconds, seed=seed)
        allowed = ours(Inference(classifier, "0" * 64, None), n_queries_allowed=MAX_QUERIES)
        matched = ours(Inference(classifier, "0" * 64, None), n_queries_allowed=n_asked)
        read: list[tuple[str, Record]] = []
        for tried in (matched, allowed, theirs):
            passed = guarded(tried.cases, dimension, task)
            figures += [_side(tried, passed, judged(passed, dimension, task), share) for share in SHARES]
            if tried is not matched:
                chosen = list({record.sample_id: record for record in passed}.values())
                random.Random(seed).shuffle(chosen)
                read += [(tried.attack, record) for record in chosen[:READ]]
        _say(figures[-3 * len(SHARES) :])
        untouched = [("nobody", _record(sample, sample.text, dimension)) for sample in right[-CONTROLS:]]
        write_readings(output, dimension, [*read, *untouched], task, seed)
    text = pretty_json([asdict(side) for side in figures])
    (output / "figures.json").write_text(text, encoding="utf-8")


def _with_proposals(task: Task, dimension: str) -> tuple[AnyDimension, float]:
    """Return the dimension with what it proposes for the samples, made once, and the seconds that took."""
    resources = Resources(associations=task.associations)
    texts = [WordsOfText(sample.text, words_of(sample.text), sample.label) for sample in task.samples]
    part = remembering(dimension)
    if not isinstance(part, Dimension):
        return part, 0.0
    # Word lists and taggers are loaded once, whoever uses them: that is not counted.
    part.propose(texts[:2], resources)
    with _timed() as spent:
        part.propose(texts, resources)
    return part, spent.seconds


def _ours(
    inference: Inference,
    *,
    task: Task,
    part: AnyDimension,
    seconds_for_proposals: float,
    seed: int,
    n_queries_allowed: float,
) -> Tried:
    """Return the cases of the live attack; both paths and the order of words together ask about so much."""
    n_words = float(np.mean([len(words_of(sample.text)) for sample in task.samples]))
    max_queries = max(1, int((n_queries_allowed - n_words) / 2))
    request = SearchRequest(
        task=task.info.name,
        perturbed="text",
        samples=task.samples,
        dimension=part,
        # As an audit has them.
        degrees=(0.05, *SHARES),
        n_cases=1,
        seed=seed,
        resources=Resources(associations=task.associations),
        source=Source(name="model", inference=inference, max_queries=max_queries),
    )
    SEARCHES["score"].run(replace(request, samples=task.samples[:2]))
    n_before = inference.counts.n_distinct
    with _timed() as spent:
        found = SEARCHES["score"].run(request)
    n_queries = inference.counts.n_distinct - n_before
    return Tried(
        attack=f"live {part.name} ({max_queries} a path)",
        cases=_fooling(inference, found.records),
        n_attacked=len(task.samples),
        n_queries=n_queries,
        seconds=seconds_for_proposals + spent.seconds,
        seconds_for_proposals=seconds_for_proposals,
    )


def _theirs(inference: Inference, task: Task, attack: str, dimension: str) -> Tried:
    """Return the cases of an attack of TextAttack as records of ours."""
    textattack_cases(attack, inference, task.samples[:1], MAX_QUERIES)
    n_before = inference.counts.n_distinct
    with _timed() as spent:
        cases = textattack_cases(attack, inference, task.samples, MAX_QUERIES)
    n_queries = inference.counts.n_distinct - n_before
    records = [
        _record(sample, case, dimension)
        for sample, case in zip(task.samples, cases, strict=True)
        if case is not None
    ]
    return Tried(
        attack=f"textattack {attack}",
        cases=_fooling(inference, records),
        n_attacked=len(task.samples),
        n_queries=n_queries,
        seconds=spent.seconds,
    )


@dataclass
class _Spent:
    seconds: float = 0.0


@contextmanager
def _timed() -> Iterator[_Spent]:
    """Measure processor time; what was there before is no garbage of the measured side."""
    gc.collect()
    gc.freeze()
    spent, start = _Spent(), time.process_time()
    yield spent
    spent.seconds = time.process_time() - start
    gc.unfreeze()


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


def _fooling(inference: Inference, records: Sequence[Record]) -> list[Record]:
    votes = inference.votes([(record.text, record.text_pair) for record in records])
    return [record for record, vote in zip(records, votes, strict=True) if vote != record.label]


def _side(tried: Tried, passed: Sequence[Record], accepted: Sequence[Record], share: float) -> Side:
    n_fooled, n_without_judge, n_raw = (
        len({record.sample_id for record in records if _is_within(record, share)})
        for records in (accepted, passed, tried.cases)
    )
    return Side(
        attack=tried.attack,
        share=share,
        n_attacked=tried.n_attacked,
        n_fooled=n_fooled,
        n_fooled_without_judge=n_without_judge,
        n_fooled_raw=n_raw,
        queries_a_sample=round(tried.n_queries / max(1, tried.n_attacked), 1),
        milliseconds_a_sample=_milliseconds(tried.seconds, tried.n_attacked),
        milliseconds_for_proposals=_milliseconds(tried.seconds_for_proposals, tried.n_attacked),
    )


def _milliseconds(seconds: float, n_samples: int) -> float:
    return round(1000 * seconds / max(1, n_samples), 2)


def _is_within(record: Record, share: float) -> bool:
    """Tell whether no more words are changed than the share allows, rounded up as our budgets are."""
    words = words_of(record.unperturbed_text)
    n_changed = len(touched_words(words, [edit for _, edit in record.edits]))
    return n_changed <= math.ceil(share * len(words))


def _say(sides: Sequence[Side]) -> None:
    for side in sides:
        click.echo(
            f"{side.attack:32} share {side.share:g}: {side.n_fooled} of {side.n_attacked} fooled"
            f" ({side.n_fooled_without_judge} without the judge, {side.n_fooled_raw} raw),"
            f" {side.queries_a_sample:g} queries and {side.milliseconds_a_sample:.1f} ms a sample,"
            f" {side.milliseconds_for_proposals:.1f} of them for proposals"
        )
    first, last = sides[0], sides[-1]
    whole, searched = (
        first.milliseconds_a_sample,
        first.milliseconds_a_sample - first.milliseconds_for_proposals,
    )
    click.echo(
        f"TextAttack takes {last.milliseconds_a_sample / whole:.1f} times as long a sample,"
        f" {last.milliseconds_a_sample / searched:.1f} times as long as the search alone"
    )


if __name__ == "__main__":
    main()
