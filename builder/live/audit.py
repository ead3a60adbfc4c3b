"""The flow of an audit's first half: data in, samples drawn, model loaded, attacked, cases written."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from builder.dimensions import DIMENSIONS
from builder.live.attacking import MAX_QUERIES, MAX_QUERIES_OF_EXPENSIVE, Attacker, AttackPlan
from builder.live.clock import Clock
from builder.live.model import AuditedModel, ModelChoice, OutOfTimeError, open_model
from builder.live.rounds import make_rounds
from builder.live.samples import DataChoice, read_data
from builder.live.writing import write_cases
from builder.surrogates.ready import balanced_accuracy
from builder.tasks.task import Task
from builder.units.store import UnitStore
from classifiers.machinery.label_names import check_assumed_labels
from contract.machine.cache_folder import cache_path
from contract.machine.errors import ExitCode, UserError
from contract.machine.progress import Progress
from contract.schema.audits import AuditInfo
from contract.schema.manifest import Manifest, Setting

# Low ones: what an attacker can do without being noticed tells more than what ruins a text. A fifth of all
# characters is far more than a character in a fifth of all words.
DEGREES = (0.05, 0.1, 0.2)
DEGREES_OF_EDITS = (0.05, 0.1)
# Samples that the model is asked about before any attack: their answers name it, and show whether its labels
# are in the right order.
FIRST_ASKED = 48
# What `quick` stands for: dimensions that need no language model and no tables of sounds.
QUICK = ("typo-malicious", "typo-general", "glyph-malicious", "glyph-general")


@dataclass(frozen=True, kw_only=True)
class AttackChoice:
    """What the user asks for; nothing: what suits the model and the data."""

    dimensions: tuple[str, ...] = ("quick",)
    degrees: tuple[float, ...] = ()
    settings: tuple[Setting, ...] = ("rule", "live")
    max_queries: int | None = None
    seed: int = 0


def make_audit_cases(
    data: DataChoice,
    model: ModelChoice,
    attacks: AttackChoice,
    out: Path,
    *,
    clock: Clock,
    progress: Progress,
    say: Callable[[str], None],
) -> Manifest:
    """Attack a model on samples of a data file and write the cases as a release."""
    dimensions = chosen_dimensions(attacks)
    found = read_data(data)
    task = found.task
    by_label = ", ".join(f"{n} {label}" for label, n in found.n_by_label.items())
    say(f"{len(task.samples)} of {found.n_rows:,} rows, by label as equal as they go: {by_label}")
    store = UnitStore(cache_path=cache_path())
    asked = task.samples[:FIRST_ASKED]
    texts = {sample.id: (sample.text, sample.text_pair) for sample in asked}
    try:
        ready = open_model(model, task.info, texts, store.cache_path, clock.check)
    except OutOfTimeError:
        raise UserError(
            f"the time budget did not suffice to load the model and ask it about {len(texts)} clean samples;"
            " give more with --time-budget"
        ) from None
    check_labels(ready, task)
    most = MAX_QUERIES_OF_EXPENSIVE if ready.is_expensive else MAX_QUERIES
    plan = AttackPlan(
        dimensions=dimensions,
        settings=attacks.settings,
        seed=attacks.seed,
        max_queries=most if attacks.max_queries is None else attacks.max_queries,
    )
    clock.n_rows = len(task.samples)
    clock.seconds_a_row = lambda: ready.watched.seconds_a_text
    attacker = Attacker(plan, task, ready, store)
    made = make_rounds(plan, task.samples, attacker, store=store, clock=clock, progress=progress)
    info = AuditInfo(
        model=model.public_name,
        data=data.path.name,
        data_sha256=task.info.source_sha256 or "0" * 64,
        n_rows=found.n_rows,
        n_planned=len(task.samples),
        n_samples=len(made.samples),
        n_train=task.info.n_train,
        seed=attacks.seed,
        max_queries=plan.max_queries,
        budget_seconds=clock.budget_seconds,
        not_reached=tuple(f"{dimension}/{setting}" for dimension, setting in made.not_reached),
        n_queries=sum(store.n_queries(unit) for units in made.units.values() for unit in units),
    )
    return write_cases(out, task, plan, made, info=info, store=store)


def check_labels(model: AuditedModel, task: Task) -> None:
    """Refuse a model that does worse than guessing: its labels are most likely in another order."""
    asked = [sample for sample in task.samples if sample.id in model.clean_votes]
    labels = [sample.label for sample in asked]
    votes = [model.clean_votes[sample.id] for sample in asked]
    check_assumed_labels(model.loaded, task.info, np.array(votes, np.intp), np.array(labels, np.int32))
    balanced, _ = balanced_accuracy(votes, labels)
    if balanced < 1 / len(set(labels)):
        raise UserError(
            f"the model does worse than guessing on the clean texts (balanced accuracy {balanced:.3f} of"
            f" {len(labels)} samples), so its labels are most likely in another order than"
            f" {', '.join(task.info.labels)}; give the right one with --labels"
        )


def chosen_dimensions(attacks: AttackChoice) -> dict[str, tuple[float, ...]]:
    """Return the dimensions by name with their degrees; `quick` and `all` stand for several."""
    names: list[str] = []
    for name in attacks.dimensions:
        several = {"quick": QUICK, "all": tuple(DIMENSIONS)}
        names += several.get(name) or [DIMENSIONS[name].name]
    wrong = [degree for degree in attacks.degrees if not 0 < degree <= 1]
    if wrong or list(attacks.degrees) != sorted(set(attacks.degrees)):
        raise UserError(
            "--degrees: expected rising numbers above 0 and up to 1, such as 0.05,0.1,0.2",
            exit_code=ExitCode.WRONG_USE,
        )
    return {
        name: attacks.degrees or (DEGREES_OF_EDITS if DIMENSIONS[name].measure == "edit" else DEGREES)
        for name in dict.fromkeys(names)
    }
