"""Makes results of invented models, the same every time."""

import hashlib
import math
from collections.abc import Sequence
from random import Random

from contract.schema.results import (
    Aggregate,
    BenchmarkInfo,
    CleanScore,
    DegreeScore,
    Interval,
    ModelInfo,
    Overall,
    Pair,
    PredictionsInfo,
    Replicates,
    Result,
    ScoreSettings,
    SettingScore,
    TaskScore,
    signature_of,
)

BENCHMARK = BenchmarkInfo(name="robust-reviews", version="1.0.0", manifest_sha256="ab" * 32)
SETTINGS = ScoreSettings(min_samples=20, resamples=200, seed=7)
DEGREES = ("0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6")
DIMENSIONS = (
    "typo-malicious",
    "typo-general",
    "glyph-malicious",
    "glyph-general",
    "phonetic-malicious",
    "phonetic-general",
    "synonym",
    "contextual",
    "inflection",
    "syntax",
    "distraction",
)


def make_result(
    name: str = "model",
    *,
    strength: float = 0.6,
    dimensions: Sequence[str] = DIMENSIONS,
    tasks: Sequence[str] = ("mr",),
    settings: Sequence[str] = ("rule",),
    degrees: Sequence[str] = DEGREES,
    is_partial: bool = False,
    with_replicates: bool = True,
    benchmark: BenchmarkInfo = BENCHMARK,
    score_settings: ScoreSettings = SETTINGS,
    model: ModelInfo | None = None,
) -> Result:
    """Return a result whose overall average is near the strength; equal arguments give equal results."""
    random = Random(f"{name} {strength}")
    scores = {
        task: TaskScore(
            clean=CleanScore(accuracy=_bounded(strength + 0.2), ci=_interval(strength + 0.2), n_samples=300),
            dimensions={
                dimension: {setting: _setting_score(strength, random, degrees) for setting in settings}
                for dimension in dimensions
            },
        )
        for task in tasks
    }
    pairs = {dimension: _mean_pair(scores, dimension) for dimension in dimensions}
    return Result(
        benchmark=benchmark,
        model=model or ModelInfo(name=name),
        evaluator_version="0.1.0",
        predictions=PredictionsInfo(sha256=hashlib.sha256(name.encode()).hexdigest(), rows=9000),
        settings=score_settings,
        signature=signature_of(benchmark, score_settings, "0.1.0"),
        tasks=scores,
        absent=("mr/syntax/rule",) if is_partial else (),
        overall=None if is_partial else _overall(strength, pairs, settings),
        replicates=_replicates(strength) if with_replicates and not is_partial else None,
    )


def without_skill(result: Result) -> Result:
    """Return the result with a clean accuracy that a constant answer would reach."""
    tasks = {
        name: task.model_copy(
            update={"clean": task.clean.model_copy(update={"best_constant": task.clean.accuracy})}
        )
        for name, task in result.tasks.items()
        if task.clean is not None
    }
    return result.model_copy(update={"tasks": tasks})


def _overall(strength: float, pairs: dict[str, Pair], settings: Sequence[str]) -> Overall:
    whole = _pair(strength, _bounded(strength - 0.18))
    return Overall(
        clean=_bounded(strength + 0.2),
        average=whole.average,
        worst=whole.worst,
        settings=dict.fromkeys(settings, whole),
        general=_pair(_bounded(strength + 0.04), _bounded(strength - 0.1)),
        malicious=_pair(_bounded(strength - 0.05), _bounded(strength - 0.25)),
        dimensions=pairs,
    )


def _setting_score(strength: float, random: Random, keys: Sequence[str]) -> SettingScore:
    shift = random.uniform(-0.1, 0.1)
    degrees = {}
    for key in keys:
        average = _bounded(strength + shift + 0.15 - 0.5 * float(key))
        worst = _bounded(average - 0.08 - 0.4 * float(key))
        degrees[key] = DegreeScore(
            average=average,
            average_ci=_interval(average),
            worst=worst,
            worst_ci=_interval(worst),
            worst_at=_bounded(worst + 0.02),
            accuracy_cases=average,
            attack_success_rate=_bounded(1 - worst),
            mean_realised_degree=float(key) + 0.004,
            n_samples=300,
            n_cases=1500,
        )
    pair = _pair(_bounded(strength + shift), _bounded(strength + shift - 0.18))
    return SettingScore(degrees=degrees, degrees_used=tuple(keys), average=pair.average, worst=pair.worst)


def _mean_pair(scores: dict[str, TaskScore], dimension: str) -> Pair:
    found = [score for task in scores.values() for score in task.dimensions[dimension].values()]
    averages = [score.average.ewma for score in found if score.average]
    worsts = [score.worst.ewma for score in found if score.worst]
    return _pair(math.fsum(averages) / len(averages), math.fsum(worsts) / len(worsts))


def _pair(average: float, worst: float) -> Pair:
    return Pair(
        average=Aggregate(ewma=average, ci=_interval(average)),
        worst=Aggregate(ewma=worst, ci=_interval(worst)),
    )


def _replicates(strength: float) -> Replicates:
    # The draws are shared by all models, so that their common noise cancels in pairs.
    shared = Random("draws")
    own = Random(f"own {strength}")
    noise = [shared.gauss(0, 0.02) + own.gauss(0, 0.005) for _ in range(200)]
    return Replicates(
        average=tuple(_bounded(strength + value) for value in noise),
        worst=tuple(_bounded(strength - 0.18 + value) for value in noise),
    )


def _interval(score: float) -> Interval:
    return _bounded(score - 0.021), _bounded(score + 0.021)


def _bounded(score: float) -> float:
    return round(min(1.0, max(0.0, score)), 6)
