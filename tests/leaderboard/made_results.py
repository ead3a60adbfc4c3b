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
    Kin,
    LabelRecall,
    ModelInfo,
    Overall,
    Pair,
    PredictionsInfo,
    Replicates,
    Result,
    ScoreSettings,
    SettingScore,
    TaskScore,
    TransferableScore,
    WithoutFamily,
    signature_of,
)

BENCHMARK = BenchmarkInfo(name="robust-reviews", version="1.0.0", manifest_sha256="ab" * 32)
SETTINGS = ScoreSettings(min_samples=20, resamples=200, seed=7)
DEGREES = ("0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6")
LABELS = ("negative", "positive")
ATTACKED = ("score", "gradient")
FAMILIES = {"word-tfidf": "words", "cnn": "sequence"}
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
            clean=_clean_score(strength),
            mean="geometric",
            dimensions={
                dimension: {
                    setting: _setting_score(strength, random, degrees, is_attacked=setting in ATTACKED)
                    for setting in settings
                }
                for dimension in dimensions
            },
        )
        for task in tasks
    }
    return Result(
        benchmark=benchmark,
        model=model or ModelInfo(name=name),
        evaluator_version="0.1.0",
        predictions=PredictionsInfo(sha256=hashlib.sha256(name.encode()).hexdigest(), rows=9000),
        settings=score_settings,
        signature=signature_of(benchmark, score_settings, "0.1.0"),
        tasks=scores,
        absent=("mr/syntax/rule",) if is_partial else (),
        overall=None if is_partial else _overall(strength, scores, dimensions, settings),
        replicates=_replicates(strength) if with_replicates and not is_partial else None,
        without_families={} if is_partial else _without_families(strength, settings),
        kin=tuple(
            Kin(surrogate=surrogate, family=family, consistency=0.21, is_kin=False)
            for surrogate, family in FAMILIES.items()
        ),
    )


def without_skill(result: Result) -> Result:
    """Return the result of a model that is no better than guessing on clean texts."""
    tasks = {
        name: task.model_copy(update={"clean": task.clean.model_copy(update={"has_skill": False})})
        for name, task in result.tasks.items()
        if task.clean is not None
    }
    return result.model_copy(update={"tasks": tasks})


def as_kin(result: Result, surrogate: str = "cnn") -> Result:
    """Return the result of a model that errs like a surrogate."""
    kin = [
        item.model_copy(update={"consistency": 0.71, "is_kin": True}) if item.surrogate == surrogate else item
        for item in result.kin
    ]
    return result.model_copy(update={"kin": tuple(kin)})


def with_overall(result: Result, *, average: float, worst: float) -> Result:
    """Return the result with other overall scores, on all draws and without every family, too."""
    pair = _pair(average, worst)
    assert result.overall is not None
    return result.model_copy(
        update={
            "overall": result.overall.model_copy(update={"average": pair.average, "worst": pair.worst}),
            "replicates": Replicates(average=(average,) * 20, worst=(worst,) * 20),
            "without_families": {
                family: without.model_copy(update={"average": average, "worst": worst})
                for family, without in result.without_families.items()
            },
        }
    )


def _clean_score(strength: float) -> CleanScore:
    score = _bounded(strength + 0.2)
    return CleanScore(
        accuracy=_bounded(score + 0.01),
        ci=_interval(score + 0.01),
        score=score,
        score_ci=_interval(score),
        balanced=score,
        balanced_ci=_interval(score),
        recall=dict(zip(LABELS, (_bounded(score + 0.03), _bounded(score - 0.03)), strict=True)),
        has_skill=True,
        n_samples=300,
    )


def _overall(
    strength: float, scores: dict[str, TaskScore], dimensions: Sequence[str], settings: Sequence[str]
) -> Overall:
    whole = _pair(strength, _bounded(strength - 0.18))
    general = _pair(_bounded(strength + 0.04), _bounded(strength - 0.1))
    malicious = _pair(_bounded(strength - 0.05), _bounded(strength - 0.25))
    scopes = {setting: [setting] for setting in settings}
    attacked = [setting for setting in settings if setting in ATTACKED]
    scopes |= {"attacked": attacked} if attacked else {}
    covers = ["rule"] * ("rule" in settings) + ["attacked"] * bool(attacked)
    return Overall(
        covers=tuple(covers or ["imported"]),
        clean=_bounded(strength + 0.2),
        clean_ci=_interval(strength + 0.2),
        clean_accuracy=_bounded(strength + 0.21),
        average=whole.average,
        worst=whole.worst,
        settings=dict.fromkeys(scopes, whole),
        groups={"core": dict.fromkeys(scopes, whole)},
        tags={"general": dict.fromkeys(scopes, general), "malicious": dict.fromkeys(scopes, malicious)},
        dimensions={
            dimension: {name: _mean_pair(scores, dimension, some) for name, some in scopes.items()}
            for dimension in dimensions
        },
    )


def _without_families(strength: float, settings: Sequence[str]) -> dict[str, WithoutFamily]:
    """Return scores that are a little higher without each family, where there are attacks."""
    if not any(setting in ATTACKED for setting in settings):
        return {}
    return {
        family: WithoutFamily(
            n_dropped=400 + place,
            average=_bounded(strength + 0.01 + place / 100),
            worst=_bounded(strength - 0.17),
            transferable=TransferableScore(accuracy=_bounded(strength - 0.3), n_cases=900, n_samples=200),
        )
        for place, family in enumerate(FAMILIES.values())
    }


def _setting_score(
    strength: float, random: Random, keys: Sequence[str], *, is_attacked: bool
) -> SettingScore:
    shift = random.uniform(-0.1, 0.1)
    degrees = {}
    for place, key in enumerate(keys):
        average = _bounded(strength + shift + 0.15 - 0.5 * float(key))
        worst = _bounded(average - 0.08 - 0.4 * float(key))
        share = _bounded(0.95 - 0.05 * place)
        tier = TransferableScore(accuracy=_bounded(average - 0.4), n_cases=120, n_samples=90)
        degrees[key] = DegreeScore(
            average=average,
            average_ci=_interval(average),
            worst=worst,
            worst_ci=_interval(worst),
            worst_at=_bounded(worst + 0.02),
            accuracy_cases=average,
            attack_success_rate=_bounded(1 - worst),
            recall={
                LABELS[0]: LabelRecall(average=_bounded(average + 0.05), worst=_bounded(worst + 0.05)),
                LABELS[1]: LabelRecall(average=_bounded(average - 0.05), worst=_bounded(worst - 0.05)),
            },
            transferable=tier if is_attacked else None,
            share_with_case=share,
            mean_realised_degree=float(key) + 0.004,
            n_samples=round(300 * share),
            n_cases=1500,
        )
    pair = _pair(_bounded(strength + shift), _bounded(strength + shift - 0.18))
    return SettingScore(
        degrees=degrees,
        degrees_used=tuple(keys),
        average=pair.average,
        worst=pair.worst,
        most_hurt_label=LABELS[1],
    )


def _mean_pair(scores: dict[str, TaskScore], dimension: str, settings: Sequence[str]) -> Pair:
    found = [task.dimensions[dimension][setting] for task in scores.values() for setting in settings]
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
