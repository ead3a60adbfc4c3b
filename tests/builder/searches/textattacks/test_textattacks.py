"""TextAttack's attacks run offline against our sources and end in the same release."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.dimensions import DIMENSIONS
from builder.models.resources import Resources
from builder.recipe.recipe_file import read_recipe
from builder.run.pipeline import build
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest, SearchResult, Source
from builder.searches.textattacks.attacks import OWN_ATTACKS, _sort_candidates, dimensions_of
from builder.searches.textattacks.differences import edits_between
from builder.searches.textattacks.wrappers import as_transformation
from classifiers.machinery.inference import Inference
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.schema.edits import apply_edits
from tests.builder.searches.test_attempts import NeverFooled
from tests.builder.searches.test_score import CountsGoodWords, is_exact, samples

# Not importorskip: that would import it before it is told not to download anything.
needs_textattack = pytest.mark.skipif(find_spec("textattack") is None, reason="the extra is not installed")
TEXT = st.text(alphabet="abc ,.é", max_size=30)


@given(TEXT, TEXT)
def test_edits_between_any_two_texts_make_one_of_the_other(original: str, case: str) -> None:
    """Whatever the tool did."""
    assert apply_edits(original, edits_between(original, case)) == case


def test_a_changed_token_is_an_edit_of_its_own() -> None:
    """So words changed are counted right."""
    edits = edits_between("a good film , really", "a goood film , rea lly")
    assert [(edit.original, edit.replacement) for edit in edits] == [("good", "goood"), ("really", "rea lly")]


NAMES = [*OWN_ATTACKS, "Pruthi2019"]
DIMENSION_OF = dict.fromkeys(["pwws", "textfooler", "particle-swarm"], "synonym")
# One good word decides each, and it has synonyms.
DECIDED = ["a charming film about a town and its people", "the smart plan of a thief and his old friend"]


def attack_result(name: str) -> SearchResult:
    """Attack the samples that one word decides."""
    dimension = DIMENSIONS[DIMENSION_OF.get(name, "typo-general")]
    return SEARCHES["score"].run(
        SearchRequest(
            task="t",
            perturbed="text",
            samples=samples(DECIDED),
            dimension=dimension,
            degrees=dimension.degrees,
            n_cases=1,
            seed=1,
            source=Source(
                name="counter",
                inference=Inference(CountsGoodWords(), "0" * 64, Path("nowhere")),
                max_queries=300,
            ),
            tool=f"textattack:{name}",
            tool_dimensions={each: DIMENSIONS[each] for each in dimensions_of(f"textattack:{name}")},
        )
    )


@needs_textattack
@pytest.mark.parametrize("name", NAMES)
def test_every_attack_by_name_finds_a_case_without_a_network(name: str) -> None:
    """What it finds has exactly the budget of its degree, and is the same every time."""
    first, second = attack_result(name), attack_result(name)
    assert first.records == second.records
    assert first.records
    measure = DIMENSIONS[DIMENSION_OF.get(name, "typo-general")].measure
    for record in first.records:
        assert record.method == f"textattack:{name}"
        assert is_exact(record, measure)
    for degree, counts in first.counts.items():
        n_found = sum(record.degree == degree for record in first.records)
        assert counts.n_candidates == counts.n_carrying == n_found + sum(counts.n_dropped.values())


@needs_textattack
def test_an_attack_that_fools_nobody_leaves_its_attempt() -> None:
    """What it ends with is kept at the degree it has; every other degree has a reason."""
    dimension = DIMENSIONS["typo-general"]
    result = SEARCHES["score"].run(
        SearchRequest(
            task="t",
            perturbed="text",
            samples=samples(DECIDED),
            dimension=dimension,
            degrees=dimension.degrees,
            n_cases=1,
            seed=1,
            source=Source(name="own", inference=Inference(NeverFooled(), "0" * 64, None), max_queries=300),
            tool="textattack:deepwordbug",
        )
    )
    for counts in result.counts.values():
        with_a_reason = {sample for sample, _ in counts.dropped}
        assert counts.n_attackable == counts.n_carrying == counts.n_attacked + len(with_a_reason)
        assert counts.n_fooled == 0


@needs_textattack
def test_cases_do_not_depend_on_the_order_of_sets() -> None:
    """Which Python draws anew for each process, unless told."""
    code = (
        # Packages that are installed may bring tests of their own.
        "import json, sys, types; sys.modules['tests'] = types.ModuleType('tests')\n"
        "sys.modules['tests'].__path__ = ['tests']\n"
        "from tests.builder.searches.textattacks.test_textattacks import NAMES, attack_result\n"
        "print(json.dumps([record.text for name in NAMES for record in attack_result(name).records]))"
    )
    found = [
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[4],
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout.splitlines()[-1]
        for seed in ("1", "2")
    ]
    assert found[0] == found[1]
    assert len(json.loads(found[0])) >= len(NAMES)


def test_words_out_of_a_set_are_put_in_order() -> None:
    """Also inside a composition; transformations whose order means something keep theirs."""

    class WordSwapWordNet:
        def _get_replacement_words(self, word: str, *, suffix: str = "") -> list[str]:
            return [f"{word}{letter}{suffix}" for letter in "cab"]

    class WordSwapEmbedding(WordSwapWordNet):
        pass

    single, inside, other = WordSwapWordNet(), WordSwapWordNet(), WordSwapEmbedding()
    _sort_candidates(single)
    _sort_candidates(SimpleNamespace(transformations=[inside, other]))
    assert single._get_replacement_words("x", suffix="s") == ["xas", "xbs", "xcs"]
    assert inside._get_replacement_words("x") == ["xa", "xb", "xc"]
    assert other._get_replacement_words("x") == ["xc", "xa", "xb"]


@needs_textattack
def test_an_unknown_attack_is_refused_with_the_nearest_name() -> None:
    """And one that wants downloads says so."""
    from builder.searches.textattacks.attacks import Target, build_attack

    target = Target(
        inference=Inference(CountsGoodWords(), "0" * 64, Path("nowhere")),
        resources=Resources(),
        label=1,
        max_queries=10,
        dimensions={},
    )
    with pytest.raises(UserError, match="did you mean 'deepwordbug'"):
        build_attack("deepwordbugs", target)
    with pytest.raises(UserError, match="These need none"):
        build_attack("TextBuggerLi2018", target)


@needs_textattack
def test_our_dimension_is_a_transformation() -> None:
    """TextAttack gets the words that our operations make, and its punctuation stays."""
    transformation = as_transformation(DIMENSIONS["glyph-general"], Resources())
    from textattack.shared import AttackedText

    found = transformation(AttackedText("A good film, really."))
    assert found
    assert all(each.text.startswith("A") or each.text.endswith("really.") for each in found)
    assert all(each.text != "A good film, really." for each in found)


@needs_textattack
def test_its_cases_end_in_the_same_release(tmp_path: Path) -> None:
    """Beside ours, after the same filters, with their method named."""
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        'name: mixed\nversion: "1"\ntasks: [{name: mr, source: mr, samples: 24}]\n'
        "dimensions: [{name: typo-general, degrees: [0.05, 0.1], attacks: ['textattack:deepwordbug']}]\n"
        "settings: [score]\nsurrogates: [word-tfidf, char-tfidf]\nmin_fooled: 0\n",
        encoding="utf-8",
    )
    build(read_recipe(recipe), tmp_path / "release", Silence())
    release = Release.open(tmp_path / "release")
    methods = {
        method
        for split in release.splits(setting="score")
        for method in release.table(split, ["method"])["method"].to_pylist()
    }
    assert "textattack:deepwordbug" in methods
    assert len(methods) > 1


@needs_textattack
def test_importing_it_leaves_the_environment_alone() -> None:
    """It sets XDG_CACHE_HOME, which would send everybody else's cache into its own folder."""
    code = (
        "import os; before = dict(os.environ)\n"
        "from builder.searches.textattacks.offline import textattack_imports\n"
        "with textattack_imports():\n    import textattack\n"
        "assert dict(os.environ) == before, set(os.environ.items()) ^ set(before.items())"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
