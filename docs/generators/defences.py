"""Which defence helps against what, from the runs that `python -m benchmarks.harden --keep` wrote."""

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from contract.schema.hardening import HardenedModel, Hardening, ranking_of
from docs.generators.heat_map import HeatRow, heat_map

KEPT_PATH = Path(__file__).parents[2] / "benchmarks" / "harden.jsonl"
# How models are called where the page is read.
KINDS = {
    "cnn": "A convolutional network over words and their parts (`cnn`)",
    "word-tfidf": "A linear model over whole words (`word-tfidf`)",
    "char-tfidf": "A linear model over runs of characters (`char-tfidf`)",
}
SCHEME_WORDS = {
    "1-1, same attack": "the attack that comes (`1-1`, same attack)",
    "1-1, other attacks": "one other attack (`1-1`, other attacks)",
    "leave-one-out": "all attacks but the one that comes (`leave-one-out`)",
    "random": "all attacks (`random`)",
}


def read_kept(path: Path = KEPT_PATH) -> list[Hardening]:
    """Return the runs that were kept, one a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Hardening.parse(json.loads(line), f"{path}:{number}") for number, line in enumerate(lines, 1)]


def heat_maps() -> dict[Path, str]:
    """Return the heat map of each run by path."""
    return {Path(f"docs/images/defences-{run.kind}.svg"): _picture(run) for run in read_kept()}


def ranking_table() -> Iterator[str]:
    """Yield the defences, the most helpful first (Zéroe's Table 3)."""
    runs = read_kept()
    yield f"| trained on | {' | '.join(f'`{run.kind}`' for run in runs)} |"
    yield f"| --- | {' | '.join('---:' for _ in runs)} |"
    ranked = [{each.name: each for each in ranking_of(run)} for run in runs]
    for name in sorted(ranked[0], key=lambda name: -fmean(own[name].gain for own in ranked)):
        cells = [f"{_points(own[name].gain)} ({_points(own[name].clean_change)})" for own in ranked]
        yield f"| {SCHEME_WORDS[name]} | {' | '.join(cells)} |"


def run_sections() -> Iterator[str]:
    """Yield for each kind of model its heat map, and attack by attack what helps."""
    for run in read_kept():
        yield from _section(run)


def _section(run: Hardening) -> Iterator[str]:
    plain = run.plain
    yield f"## {KINDS.get(run.kind, run.kind)}"
    yield ""
    yield (
        f"Without defence {100 * plain.clean:.1f} % of clean texts are right; guessing gives"
        f" {100 * run.guessing:.1f} %. Trained on {plain.n_clean:,} rows."
    )
    yield ""
    yield (
        f"![What training on an attack (row) wins back under an attack (column): {run.kind}]"
        f"(images/defences-{run.kind}.svg)"
    )
    yield ""
    yield "| attack | right without defence | trained on it | on all others | helps most beside itself |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for attack in run.attacks:
        yield _attack_line(run, attack)
    yield ""


def _attack_line(run: Hardening, attack: str) -> str:
    known = [figure for figure in run.plain.accuracies[attack] if figure is not None]
    others = {
        model.trained_on[0]: run.mean_gain([model], [attack]) or 0.0
        for model in run.models
        if model.scheme == "1-1" and attack not in model.trained_on
    }
    best = max(others, key=lambda name: others[name])
    helper = f"{best} {_points(others[best])}" if others[best] > 0 else "none"
    cells = [
        f"{100 * fmean(known):.1f}",
        _points(run.mean_gain([_model(run, "1-1", attack)], [attack])),
        _points(run.mean_gain([_left_out(run, attack)], [attack])),
        helper,
    ]
    return f"| {attack} | {' | '.join(cells)} |"


def _model(run: Hardening, scheme: str, attack: str) -> HardenedModel:
    return next(model for model in run.models if model.scheme == scheme and attack in model.trained_on)


def _left_out(run: Hardening, attack: str) -> HardenedModel:
    models = (model for model in run.models if model.scheme == "leave-one-out")
    return next(model for model in models if attack not in model.trained_on)


def _picture(run: Hardening) -> str:
    """Return the heat map: a row for each attack trained on, then all others, then all."""
    rows = [
        HeatRow(
            name=model.trained_on[0],
            clean=model.clean - run.plain.clean,
            gains=tuple(run.mean_gain([model], [attack]) for attack in run.attacks),
            framed=run.attacks.index(model.trained_on[0]),
        )
        for model in run.models
        if model.scheme == "1-1"
    ]
    left_out = [_left_out(run, attack) for attack in run.attacks]
    rows.append(
        HeatRow(
            name="all others",
            clean=fmean(model.clean for model in left_out) - run.plain.clean,
            gains=tuple(
                run.mean_gain([model], [attack]) for model, attack in zip(left_out, run.attacks, strict=True)
            ),
        )
    )
    rows += [
        HeatRow(
            name="all",
            clean=model.clean - run.plain.clean,
            gains=tuple(run.mean_gain([model], [attack]) for attack in run.attacks),
        )
        for model in run.models
        if model.scheme == "random"
    ]
    return heat_map(rows, run.attacks, f"{run.kind} on {run.task}: trained on (row), attacked by (column)")


def _points(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:+.1f}".replace("-", "\N{MINUS SIGN}")
