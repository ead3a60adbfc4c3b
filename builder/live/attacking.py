"""The units of an audit: random cases, and attacks on the model itself, each kept once it is finished."""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.live.model import AuditedModel
from builder.live.remembering import remembering
from builder.models.resources import Resources
from builder.recipe.recipe import DEFAULT_FILTERS
from builder.run.execute_unit import case_notes
from builder.run.make_cases import make_cases_with
from builder.searches.search import Source
from builder.surrogates.surrogate_ref import SurrogateRef
from builder.tasks.task import Task
from builder.units.store import UnitStore
from builder.units.units import Attack, CaseUnit
from builder.values import associations
from builder.values.samples import Sample
from classifiers import TRAINABLE_KINDS, TrainingSet
from classifiers.machinery.inference import Inference
from contract.machine.hashes import hash_of
from contract.schema.manifest import Setting
from contract.schema.records import table_of
from contract.schema.timings import Timing

RULE: Setting = "rule"
LIVE: Setting = "live"
# The search of live attacks: the builder's own against probabilities, with the model as the source.
SEARCH: Setting = "score"
MAX_QUERIES = 60
# An encoder is shown what a cheap model picks.
MAX_QUERIES_OF_EXPENSIVE = 40
# A cheap model that picks candidates must have seen so many rows.
LEAST_ROWS_OF_A_SCREENER = 100
SCREENER = "word-tfidf"


@dataclass(frozen=True, kw_only=True)
class AttackPlan:
    """What an audit makes of each sample."""

    # By name, with the degrees of each.
    dimensions: dict[str, tuple[float, ...]]
    settings: tuple[Setting, ...] = (RULE, LIVE)
    n_rule_cases: int = 2
    seed: int = 0
    max_queries: int = MAX_QUERIES

    @property
    def cells(self) -> list[tuple[str, Setting]]:
        """Dimensions and settings in the order in which they are made: cheap random cases first.

        Where coins choose the words there is nothing to search, so such a dimension has no live attack.
        """
        return [
            (dimension, setting)
            for setting in self.settings
            for dimension in self.dimensions
            if setting == RULE or DIMENSIONS[dimension].degree_kind != "probability"
        ]


class Attacker:
    """Makes the units of one audit."""

    def __init__(self, plan: AttackPlan, task: Task, model: AuditedModel, store: UnitStore) -> None:
        self._plan = plan
        self._task = task
        self._model = model
        self._store = store
        self._resources = Resources(associations=task.associations)
        # What they propose depends on the words of this audit's data.
        self._remembering = {name: remembering(name) for name in plan.dimensions}
        self._words = associations.name_of(task.associations)
        self._screener, self._screener_ref = _screener(task) if model.is_expensive else (None, None)

    def unit(self, samples: Sequence[Sample], dimension: str, setting: Setting) -> CaseUnit:
        """Return the unit of some samples in a dimension and setting."""
        level = DIMENSIONS[dimension].level
        attack = Attack(
            source=self._model.ref,
            screener=self._screener_ref,
            max_queries=self._plan.max_queries,
            first_case=0,
        )
        return CaseUnit(
            task=self._task.info.name,
            perturbed=self._task.info.perturbed,
            samples=tuple(samples),
            dimension=dimension,
            degrees=self._plan.dimensions[dimension],
            setting=SEARCH if setting == LIVE else setting,
            n_cases=1 if setting == LIVE else self._plan.n_rule_cases,
            # One more attempt, should a filter drop the strongest.
            n_spare=1 if setting == LIVE else 0,
            seed=self._plan.seed,
            filters=tuple(
                (name, tuple(sorted(FILTERS[name].thresholds.items())))
                for name in DEFAULT_FILTERS
                if level in FILTERS[name].levels
            ),
            associations=self._words,
            resources=replace(self._resources, associations={}),
            attack=attack if setting == LIVE else None,
        )

    def execute(self, unit: CaseUnit) -> Timing:
        """Make the cases of a unit and keep them."""
        start = time.perf_counter()
        source = None
        if unit.attack is not None:
            source = Source(
                name=unit.attack.source.name,
                inference=self._model.inference,
                screener=self._screener,
                max_queries=unit.attack.max_queries,
            )
        made = make_cases_with(unit, self._resources, source, self._remembering[unit.dimension])
        path = self._store.write_rows(unit, table_of(made.records))
        timing = Timing(
            stage="perturb",
            title=unit.title,
            seconds=round(time.perf_counter() - start, 3),
            task=unit.task,
            dimension=unit.dimension,
            setting=unit.setting,
            path=str(path),
            n_rows=len(made.records),
        )
        self._store.write_sidecar(unit, timing, case_notes(unit, made))
        return timing


def _screener(task: Task) -> tuple[Inference | None, SurrogateRef | None]:
    """Return a cheap classifier of the other rows, where they suffice for one."""
    labels = [sample.label for sample in task.train]
    if len(labels) < LEAST_ROWS_OF_A_SCREENER or len(set(labels)) < len(task.info.labels):
        return None, None
    training = TrainingSet(
        texts=[(sample.text, sample.text_pair) for sample in task.train],
        labels=labels,
        n_labels=len(task.info.labels),
        seed=0,
    )
    kind = TRAINABLE_KINDS[SCREENER]
    with tempfile.TemporaryDirectory() as folder:
        kind.train(training, Path(folder))
        classifier = kind.load(Path(folder))
    sha256 = hash_of([training.texts, labels, kind.version])
    return Inference(classifier, sha256, None), SurrogateRef(name="screener", kind=SCREENER, sha256=sha256)
