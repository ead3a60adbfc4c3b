"""Our score attack beside those of TextAttack on the same sources, with its own wrapper and a lean one."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import click

from benchmarks.attack_bench import Bench, search
from builder.dimensions import DIMENSIONS
from builder.dimensions.synonym import SYNONYM
from builder.dimensions.typo import operations_of
from builder.language.wordnet.tables import PARTS_OF_SPEECH, load_tables
from builder.models.resources import Resources
from builder.operations.dimension import AnyDimension, WordsOfText
from builder.operations.operation import Operations, operation
from builder.searches.textattacks.attacks import Target, build_attack
from builder.searches.textattacks.offline import quiet, textattack_imports
from builder.values.samples import Sample
from classifiers.machinery.inference import Inference
from contract.schema.edits import Edit, words_of

HEADING = (
    f"{'':34s} {'n':>4s} {'seconds':>8s} {'queries/s':>10s} {'samples':>8s} {'cases':>6s} {'s/case':>8s}"
)


@dataclass(frozen=True, kw_only=True)
class Run:
    """What an attack took and found."""

    seconds: float
    n_queries: int
    n_samples: int
    # Samples of which a case fools the source, and all cases that do.
    n_fooled: int
    n_cases: int

    @property
    def rate(self) -> float:
        """Queries a second."""
        return self.n_queries / self.seconds

    @property
    def seconds_a_case(self) -> float:
        """Seconds for one case that fools the source."""
        return self.seconds / self.n_cases if self.n_cases else float("nan")

    @property
    def seconds_a_sample(self) -> float:
        """Seconds for one sample that is fooled at all."""
        return self.seconds / self.n_fooled if self.n_fooled else float("nan")

    @property
    def row(self) -> str:
        """The figures as columns."""
        return (
            f"{self.n_samples:4d} {self.seconds:8.2f} {self.rate:10,.0f} {self.n_fooled:8d}"
            f" {self.n_cases:6d} {self.seconds_a_case:8.4f}"
        )


def compare(bench: Bench, name: str, samples: Sequence[Sample], *, n_stock: int, n_repeats: int) -> None:
    """Print a table for one source, and the ratios, each of runs on the same samples.

    TextAttack's own wrapper, which is slow, gets the first `n_stock`, once.
    """
    click.echo(f"{name}\n{HEADING}")
    # Looked up for both before the clock runs.
    _any_sense([WordsOfText(sample.text, words_of(sample.text)) for sample in samples], Resources())
    for theirs, ours in PAIRS.items():
        for wrapper, some, n_runs in (("lean", samples, n_repeats), ("stock", samples[:n_stock], 1)):
            if not some:
                continue
            # In turns, and the best of each: what else the machine does meanwhile hits both.
            pairs = [
                (
                    attack_with_ours(bench, name, ours, some),
                    attack_with_theirs(bench, name, theirs, some, is_stock=wrapper == "stock"),
                )
                for _ in range(n_runs)
            ]
            mine = _show(f"hardfrost {ours.name}", min((one for one, _ in pairs), key=_seconds))
            other = min((other for _, other in pairs), key=_seconds)
            _show_ratio(mine, _show(f"textattack-{wrapper} {theirs}", other))


def attack_with_ours(bench: Bench, name: str, dimension: AnyDimension, samples: Sequence[Sample]) -> Run:
    """Time our attack; what it loads once is loaded before, as theirs is."""
    operations_of.cache_clear()
    search(bench.source(name), name, dimension, samples[:1])
    inference = bench.source(name)
    start = time.perf_counter()
    records = search(inference, name, dimension, samples)
    seconds = time.perf_counter() - start
    n_queries = inference.counts.n_distinct
    votes = inference.votes([(record.text, None) for record in records])
    fooling = [record for record, vote in zip(records, votes, strict=True) if vote != record.label]
    return Run(
        seconds=seconds,
        n_queries=n_queries,
        n_samples=len(samples),
        n_fooled=len({record.sample_id for record in fooling}),
        n_cases=len(fooling),
    )


def attack_with_theirs(
    bench: Bench, name: str, attack_name: str, samples: Sequence[Sample], *, is_stock: bool = False
) -> Run:
    """Time TextAttack's attack, with our lean wrapper or with what its own does."""
    with textattack_imports():
        from textattack.attack_results import SuccessfulAttackResult

    inference = bench.source(name)
    attack = _attack(attack_name, inference)
    if is_stock:
        attack.goal_function.model = _stock_wrapper(inference)
    start = time.perf_counter()
    n_queries = n_fooled = 0
    for sample in samples:
        with quiet():
            result = attack.attack(sample.text, sample.label)
        n_queries += result.num_queries
        n_fooled += isinstance(result, SuccessfulAttackResult)
    return Run(
        seconds=time.perf_counter() - start,
        n_queries=n_queries,
        n_samples=len(samples),
        n_fooled=n_fooled,
        n_cases=n_fooled,
    )


def _attack(name: str, inference: Inference) -> Any:
    """Return DeepWordBug, or a greedy swap of words by WordNet's synonyms in any sense."""
    target = Target(
        inference=inference,
        resources=Resources(),
        label=0,
        max_queries=100_000,
        dimensions={SYNONYM.name: SYNONYM},
    )
    attack = build_attack("deepwordbug" if name == "deepwordbug" else "textfooler", target)
    if name == "wordnet":
        with textattack_imports():
            from textattack.transformations import WordSwap

        class Synonyms(WordSwap):  # type: ignore[misc]
            """Looks synonyms up in our table, since NLTK's WordNet would have to be downloaded."""

            def _get_replacement_words(self, word: str) -> list[str]:
                return _wordnet(word.lower())

        attack.transformation = Synonyms()
    return attack


def _any_sense(texts: Sequence[WordsOfText], _resources: Resources) -> list[list[Operations]]:
    """Return as operations on each word the swaps that TextAttack is given, too."""
    return [[_swaps(word.text) for word in text.words] for text in texts]


@cache
def _swaps(word: str) -> Operations:
    edits = [Edit(0, len(word), word, synonym) for synonym in _wordnet(word.lower())]
    return Operations([operation("wordnet", edit) for edit in edits], [1.0] * len(edits))


@cache
def _wordnet(word: str) -> list[str]:
    senses = (sense for part in PARTS_OF_SPEECH for sense in load_tables().senses_of(word, part))
    return sorted({member.lemma for sense in senses for member in sense.members} - {word})


# As TextAttack swaps, in any sense and whatever becomes of the meaning: to compare searches, not to freeze.
WORDNET = replace(SYNONYM, name="wordnet", uses=(), propose=_any_sense)
# Theirs, and what of ours makes the same kind of edit.
PAIRS: dict[str, AnyDimension] = {"deepwordbug": DIMENSIONS["typo-general"], "wordnet": WORDNET}


def _seconds(run: Run) -> float:
    return run.seconds


def _show(title: str, run: Run) -> Run:
    click.echo(f"{title:34s} {run.row}")
    return run


def _show_ratio(ours: Run, theirs: Run) -> None:
    """Print how much faster we are; ours has a case at each degree that fools, theirs one a sample."""
    click.echo(
        f"{'  theirs to ours':34s} queries/s 1:{ours.rate / theirs.rate:.1f},"
        f" seconds a case {theirs.seconds_a_case / ours.seconds_a_case:.1f}:1,"
        f" seconds a fooled sample {theirs.seconds_a_sample / ours.seconds_a_sample:.1f}:1"
    )


def _stock_wrapper(inference: Inference) -> Any:
    """Return what TextAttack's own wrapper does with the same network: it pads every text to 512 pieces.

    Not its class, which takes only transformers' own outputs.
    """
    with textattack_imports():
        import torch
        from textattack.models.wrappers import ModelWrapper

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
