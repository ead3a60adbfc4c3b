"""A plan cuts the work into units, and no two attacks on the same samples give a case the same number."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from builder.recipe.recipe import Recipe
from builder.surrogates.ready import ReadySurrogate
from builder.tasks.task import Task
from builder.units.planning import Plan, plan_build
from builder.values.samples import Sample
from contract.schema.manifest import OverlapInfo, SurrogateInfo, TaskInfo

KINDS = ("word-tfidf", "char-tfidf", "cnn", "subword", "minilm")
TOOLS = ("textattack:pwws", "textattack:deepwordbug")


def ready(name: str) -> ReadySurrogate:
    """Return a surrogate with skill, of a family of its own."""
    info = SurrogateInfo(name=name, kind=name, family=name, task="made", weights_sha256="0" * 64)
    return ReadySurrogate(info=info, cost=30, clean_votes=(), balanced=0.9, balanced_low=0.8, chance=0.5)


def task(n_samples: int) -> Task:
    """Return a task of a few samples."""
    samples = [
        Sample(id=f"made-{n:05d}", text=f"a film {n}", text_pair=None, label=n % 2) for n in range(n_samples)
    ]
    info = TaskInfo(
        name="made",
        labels=("negative", "positive"),
        fields=("text",),
        source="file:made.csv",
        licence="none",
        n_samples=n_samples,
        n_train=0,
    )
    overlap = OverlapInfo(task="made", training_source="made", n_removed=0)
    return Task(info=info, samples=samples, train=[], overlap=overlap)


def plan(n_wanted: int, n_sources: int, n_tools: int, n_samples: int = 5) -> Plan:
    """Return the plan of a build that attacks some sources, with other tools, too."""
    recipe = Recipe.model_validate(
        {
            "name": "made",
            "version": "1",
            "tasks": [{"name": "made", "source": "mr"}],
            "dimensions": [
                {"name": "synonym", "degrees": [0.1, 0.3], "attacks": list(TOOLS[:n_tools])},
                {"name": "distraction", "degrees": [0.4]},
            ],
            "settings": ["rule", "score"],
            "cases": {"score": n_wanted},
            "surrogates": list(KINDS[:n_sources]),
        }
    )
    surrogates = [ready(name) for name in KINDS[:n_sources]]
    return plan_build(recipe, [task(n_samples)], surrogates, samples_per_unit=2)


@given(st.integers(1, 7), st.integers(1, len(KINDS)), st.integers(0, len(TOOLS)))
def test_no_two_attacks_on_the_same_samples_share_a_number(
    n_wanted: int, n_sources: int, n_tools: int
) -> None:
    """Each has numbers for all its attempts, those to spare included; ids are made of them."""
    numbers: Counter[tuple[str, str, str, int]] = Counter()
    for unit in plan(n_wanted, n_sources, n_tools).case_units:
        if unit.attack is not None:
            first = unit.attack.first_case
            for number in range(first, first + unit.n_cases + unit.n_spare):
                numbers[unit.dimension, unit.setting, unit.samples[0].id, number] += 1
    assert set(numbers.values()) == {1}


@given(st.integers(1, 7), st.integers(1, len(KINDS)))
def test_all_sources_together_make_as_many_attempts_as_are_wanted(n_wanted: int, n_sources: int) -> None:
    """Each of them one at least, and one to spare."""
    attacks = [
        unit
        for unit in plan(n_wanted, n_sources, 0).case_units
        if unit.setting == "score" and unit.dimension == "synonym" and unit.samples[0].id == "made-00000"
    ]
    assert len(attacks) == n_sources
    assert sum(unit.n_cases for unit in attacks) >= n_wanted
    assert all(unit.n_cases >= 1 and unit.n_spare == 1 for unit in attacks)


def test_every_sample_is_in_one_unit_of_each_attack() -> None:
    """Units of the same samples are decided together."""
    made = plan(3, 2, 1)
    by_title = Counter(
        (unit.dimension, unit.setting, unit.attack_title, sample.id)
        for unit in made.case_units
        for sample in unit.samples
    )
    assert set(by_title.values()) == {1}
    for cell in made.cells:
        assert [len(batch.sample_ids) for batch in cell.batches] == [2, 2, 1]
        for batch in cell.batches:
            assert len({unit.samples for unit in batch.cases}) == 1
            assert (batch.panel is not None) == (cell.setting == "score")


def test_units_of_many_cases_have_fewer_samples() -> None:
    """Their cases are held in memory together."""
    for n_cases, n_samples in {1: 64, 25: 64, 100: 16, 5000: 1}.items():
        recipe = Recipe.model_validate(
            {
                "name": "made",
                "version": "1",
                "tasks": [{"name": "made", "source": "mr"}],
                "dimensions": ["typo-general"],
                "cases": {"rule": n_cases},
            }
        )
        units = plan_build(recipe, [task(70)], []).case_units
        assert len(units[0].samples) == n_samples
        assert sum(len(unit.samples) for unit in units) == 70
