"""The gradient search: exact budgets, more harm than chance, the same whatever was searched before."""

from pathlib import Path
from statistics import fmean

import pytest

from builder.dimensions import DIMENSIONS
from builder.searches import SEARCHES, gradient
from builder.searches.search import SearchRequest, Source
from classifiers import TrainingSet
from classifiers.machinery import gradients
from classifiers.machinery.inference import Inference
from classifiers.trained import cnn
from contract.machine.errors import UserError
from contract.schema.records import Record
from tests.builder.searches.test_score import SENTENCES, CountsGoodWords, is_exact, samples

GOOD = ["a good film", "charming and warm", "smart and fun", "fun and good", "warm from the first scene"]
BAD = ["a dull film", "tired and cold", "stupid and slow", "slow and bad", "cold to the last scene"]
NAMES = ["typo-general", "glyph-malicious", "inflection"]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Inference:
    """Return a small network that knows a few words."""
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("cnn")
    texts = [(text, None) for text in (GOOD + BAD) * 12]
    labels = ([1] * len(GOOD) + [0] * len(BAD)) * 12
    cnn.train(TrainingSet(texts=texts, labels=labels, n_labels=2, seed=1), folder)
    return Inference(cnn.load(folder), "c" * 64, None)


def find(source: Inference, dimension: str, setting: str = "gradient") -> list[Record]:
    """Search cases against the network."""
    part = DIMENSIONS[dimension]
    request = SearchRequest(
        task="t",
        perturbed="text",
        samples=samples([*SENTENCES, *GOOD]),
        dimension=part,
        degrees=part.degrees,
        n_cases=3,
        seed=1,
        source=Source(name="cnn", inference=source),
    )
    return SEARCHES[setting].run(request).records


@pytest.mark.parametrize("dimension", NAMES)
def test_every_case_has_exactly_the_budget_of_its_degree(source: Inference, dimension: str) -> None:
    """And names its source."""
    records = find(source, dimension)
    assert records
    assert all(is_exact(record, DIMENSIONS[dimension].measure) for record in records)
    assert {record.source for record in records} == {"cnn"}


def test_gradients_hurt_more_than_chance(source: Inference) -> None:
    """The true label's probability falls farther than by random typos on the same samples."""

    def means(setting: str) -> dict[tuple[str, float | None], float]:
        records = find(source, "typo-general", setting)
        rows = source.ask([(record.text, None) for record in records])
        found: dict[tuple[str, float | None], list[float]] = {}
        for record, row in zip(records, rows, strict=True):
            found.setdefault((record.sample_id, record.degree), []).append(float(row[record.label]))
        return {key: fmean(values) for key, values in found.items()}

    attacked, random = means("gradient"), means("rule")
    both = attacked.keys() & random.keys()
    assert fmean(attacked[key] for key in both) < fmean(random[key] for key in both) - 0.05


def test_what_is_remembered_changes_nothing(source: Inference, monkeypatch: pytest.MonkeyPatch) -> None:
    """Importances found for one dimension serve the next; without them, or without room, all is the same."""
    monkeypatch.setattr(gradient, "_kept", {})
    alone = find(source, "glyph-malicious")
    find(source, "typo-general")
    assert find(source, "glyph-malicious") == alone
    monkeypatch.setattr(gradient, "MOST_KEPT", 3)
    assert find(source, "glyph-malicious") == alone


def test_gradients_are_counted_whether_remembered_or_not(
    source: Inference, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So what a manifest says does not hang on which dimension a process searched before."""
    monkeypatch.setattr(gradient, "_kept", {})

    def n_asked() -> int:
        before = source.counts.n_distinct
        find(source, "typo-general")
        return source.counts.n_distinct - before

    first = n_asked()
    assert n_asked() == first
    attacked = {record.sample_id for record in find(source, "typo-general")}
    # Along the way from a text of masks, and at the text itself; forward and backward.
    assert first > len(attacked) * (gradients.STEPS + 1) * 2


def test_a_source_without_gradients_is_refused() -> None:
    """With the kinds that have some."""
    with pytest.raises(UserError, match="minilm, cnn or hf:"):
        find(Inference(CountsGoodWords(), "0" * 64, Path("nowhere")), "typo-general")
