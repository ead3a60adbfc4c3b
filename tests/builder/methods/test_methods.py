"""What every method must do, and that its parameters are those of AdvGLUE's appendix."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from builder.dimensions import DIMENSIONS
from builder.methods import METHODS
from builder.methods.method import Method, Parameter
from builder.operations.dimension import Dimension
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest, SearchResult, Source
from classifiers import TrainingSet
from classifiers.machinery.inference import Inference
from classifiers.trained import cnn
from contract.schema.manifest import Setting
from docs.generators.methods import methods_tables, shown
from tests.builder.searches.test_gradient import BAD, GOOD
from tests.builder.searches.test_score import CountsGoodWords, is_exact, samples

TEXTS = [
    "a good and funny movie with a smart story that begins fast and ends well enough for children",
    "the film is charming , the topic is warm , and the employees of the big company are famous",
]
# The appendix, by method and the name of a parameter.
APPENDIX = {
    ("textbugger", "kinds of bugs"): 5,
    ("textbugger", "a space only in words with fewer characters than"): 6,
    ("textbugger", "a swap only in words with more characters than"): 4,
    ("textfooler", "neighbours of a word, at most"): 50,
    ("textfooler", "least similarity in sentiment tasks"): 0.8,
    ("textfooler", "least similarity elsewhere"): 0.7,
    ("bert-attack", "candidates of a word, at most"): 48,
    ("bert-attack", "least similarity of the vectors of two words"): 0.4,
    ("sememe-pso", "particles"): 60,
    ("sememe-pso", "inertia, at first"): 0.8,
    ("sememe-pso", "inertia, at last"): 0.2,
    ("sememe-pso", "probability of a movement, highest"): 0.8,
    ("sememe-pso", "probability of a movement, lowest"): 0.2,
    ("compattack", "weight of the attack's goal"): 1e4,
    ("compattack", "confidence"): 0,
    ("compattack", "steps, at most"): 100,
    ("compattack", "learning rate"): 0.1,
}
OF_WORDS = [method for method in METHODS.values() if isinstance(DIMENSIONS[method.dimension], Dimension)]


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Inference:
    """Return a small network that knows a few words."""
    folder = tmp_path_factory.mktemp("cnn")
    texts = [(text, None) for text in (*GOOD, *TEXTS, *BAD, "a cold and slow film") * 12]
    labels = ([1] * (len(GOOD) + len(TEXTS)) + [0] * (len(BAD) + 1)) * 12
    cnn.train(TrainingSet(texts=texts, labels=labels, n_labels=2, seed=1), folder)
    return Inference(cnn.load(folder), "c" * 64, None)


def found_by(
    method: Method, setting: Setting, inference: Inference, texts: Sequence[str] = TEXTS
) -> SearchResult:
    """Return what a method makes of texts against a source."""
    request = SearchRequest(
        task="t",
        perturbed="text",
        samples=samples(texts),
        dimension=DIMENSIONS[method.dimension],
        degrees=(0.1, 0.2),
        n_cases=2,
        seed=1,
        source=None if setting == "rule" else Source(name="source", inference=inference),
    )
    return method.function(request, setting)


@pytest.mark.parametrize("key", APPENDIX, ids=" ".join)
def test_a_parameter_is_that_of_the_appendix(key: tuple[str, str]) -> None:
    """In the code and in the generated table."""
    name, parameter_name = key
    (parameter,) = [each for each in METHODS[name].parameters if each.name == parameter_name]
    assert parameter.paper == parameter.value == APPENDIX[key]
    lines = list(methods_tables())
    of_method = lines[lines.index(f"## {name}") :]
    assert f"| {parameter_name} | {shown(APPENDIX[key])} | {shown(APPENDIX[key])} |" in of_method


def test_a_departing_value_is_bold() -> None:
    """The median of the thesaurus is below the paper's number of neighbours."""
    (median,) = [each for each in METHODS["textfooler"].parameters if "median" in each.name]
    assert median.departs
    assert any(f"**{median.value}**" in line for line in methods_tables())


@pytest.mark.parametrize("method", METHODS.values(), ids=list(METHODS))
def test_a_method_fits_its_dimension_and_says_where_it_departs(method: Method) -> None:
    """Its settings can make cases of the dimension."""
    assert all(SEARCHES[setting].can_make(DIMENSIONS[method.dimension]) for setting in method.settings)
    assert method.departures
    assert all(departure.endswith(".") for departure in method.departures)


@pytest.mark.parametrize("method", OF_WORDS, ids=[method.name for method in OF_WORDS])
def test_a_method_makes_cases_of_exact_degree_and_the_same_again(method: Method, network: Inference) -> None:
    """In each of its settings, against a source that it can attack."""
    for setting in method.settings:
        inference = network if setting == "gradient" else Inference(CountsGoodWords(), "0" * 64, Path("no"))
        first = found_by(method, setting, inference)
        assert first.records
        assert all(is_exact(record, DIMENSIONS[method.dimension].measure) for record in first.records)
        assert found_by(method, setting, inference).records == first.records
        for counts in first.counts.values():
            n_dropped = sum(counts.n_dropped.values())
            assert counts.n_candidates >= n_dropped


@pytest.mark.parametrize("method", OF_WORDS, ids=[method.name for method in OF_WORDS])
def test_what_a_method_makes_of_a_text_does_not_depend_on_the_others(
    method: Method, network: Inference
) -> None:
    """A unit may hold any samples."""
    setting = method.settings[0]
    inference = network if setting == "gradient" else Inference(CountsGoodWords(), "0" * 64, Path("no"))
    together = found_by(method, setting, inference).records
    alone = found_by(method, setting, inference, TEXTS[:1]).records
    assert [record for record in together if record.sample_id == alone[0].sample_id] == alone


def test_a_method_without_a_paper_is_refused() -> None:
    """Readers must find where it comes from."""
    with pytest.raises(ValueError, match="paper must not be empty"):
        replace(METHODS["textbugger"], paper="")


def test_a_parameter_may_be_read_from_packaged_data() -> None:
    """A function stands for its value."""
    assert Parameter(name="n", paper=3, ours=lambda: 2).value == 2
