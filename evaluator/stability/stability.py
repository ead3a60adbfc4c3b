"""Ranks of results with parts of their release left out, and how many samples a small difference needs."""

import math
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from contract.machine.errors import bad_input
from contract.predictions.reading import ABSENT, Predictions, read_predictions
from contract.release.release import Release
from contract.schema.manifest import Manifest
from contract.schema.names import CLEAN, degree_key
from contract.schema.results import Result
from contract.schema.stability import CaseAgreement, LeftOut, Power, Stability, StabilityRank, WithoutPart
from evaluator.scoring.draws import interval
from evaluator.scoring.labelled_rows import LabelledRows
from evaluator.scoring.rounding import fraction, rounded
from evaluator.stability.headlines import headline, parts_of
from evaluator.stability.kendall import kendall_tau

# A difference of two points is what people argue about.
DIFFERENCE = 0.02
# Of the normal distribution: 5 % on both sides, and seen in four of five tries.
_LEVEL, _POWER = 1.959964, 0.841621
# More than there are texts; a manifest may claim any number.
_MOST_SAMPLES = 10**12


def read_results(folder: Path, release: Release) -> list[Result]:
    """Return the results of a release that stand below a folder and have an overall score."""
    # Submissions are called result.json; a folder of others holds nothing but results.
    paths = [folder] if folder.is_file() else sorted(folder.rglob("result.json"))
    paths = paths or sorted(folder.glob("*.json"))
    # A pipe would be waited for.
    paths = [path for path in paths if path.is_file()]
    results = [Result.read(path) for path in paths]
    for path, result in zip(paths, results, strict=True):
        if not _is_of(result, release):
            raise bad_input(
                f"{path}: the result is of another release than {release.path}; score its predictions again"
            )
    return [result for result in results if result.overall is not None]


def _is_of(result: Result, release: Release) -> bool:
    """Tell whether a result and all its cells are of the release, which a file need not be right about."""
    known = {
        (split.task, split.dimension, split.setting, degree_key(split.degree))
        for split in release.manifest.splits
    }
    return result.needed_benchmark.manifest_sha256 == release.manifest_sha256 and all(
        (task, dimension, setting, key) in known
        for task, of_task in result.tasks.items()
        for dimension, settings in of_task.dimensions.items()
        for setting, score in settings.items()
        for key in score.degrees
    )


def stability_of(manifest: Manifest, results: Sequence[Result]) -> Stability:
    """Return what becomes of the ranks of results that all have an overall score."""
    if len(results) < 2:
        raise bad_input("ranks need two results or more with an overall score; give the folder that has them")
    if any(result.settings != results[0].settings for result in results):
        raise bad_input("the results have different settings; score all predictions with the same options")
    whole = {_key(result): headline(result, manifest) or 0.0 for result in results}
    ordered = sorted(results, key=lambda result: (-whole[_key(result)], result.model.name))
    return Stability(
        benchmark=results[0].needed_benchmark,
        ranks=_ranks(ordered, [whole[_key(result)] for result in ordered]),
        without=tuple(
            part
            for what, name in parts_of(results[0], manifest)
            if (part := _without(ordered, manifest, what, name, [whole[_key(one)] for one in ordered]))
        ),
        power=_power(ordered, manifest),
    )


def with_agreement(stability: Stability, labelled: LabelledRows, paths: Sequence[Path]) -> Stability:
    """Return the same with the cases that everybody or nobody gets, by predictions files."""
    files = [read_predictions(path, labelled.rows) for path in paths]
    agreement = tuple(_agreement(labelled, files))
    return stability.model_copy(update={"agreement": agreement, "n_predictions": len(files)})


def _key(result: Result) -> int:
    return id(result)


def _ranks(ordered: Sequence[Result], scores: Sequence[float]) -> tuple[StabilityRank, ...]:
    # Rounded, since a sum in another order is no better rank.
    rounded_scores = [fraction(score) for score in scores]
    return tuple(
        StabilityRank(
            model=result.model.name,
            score=score,
            rank=1 + sum(other > score for other in rounded_scores),
        )
        for result, score in zip(ordered, rounded_scores, strict=True)
    )


def _without(
    ordered: Sequence[Result], manifest: Manifest, what: LeftOut, name: str, whole: Sequence[float]
) -> WithoutPart | None:
    scores = [headline(result, manifest, what, name) for result in ordered]
    known = [score for score in scores if score is not None]
    if len(known) < len(ordered):
        return None
    ranks = _ranks(ordered, known)
    tau = kendall_tau([fraction(score) for score in whole], [rank.score for rank in ranks])
    return WithoutPart(what=what, name=name, tau=None if tau is None else rounded(tau), ranks=ranks)


def _power(results: Sequence[Result], manifest: Manifest) -> Power | None:
    """Return how many samples a small difference needs, from draws that the results share."""
    drawn = [np.array(result.replicates.score) for result in results if result.replicates is not None]
    if len(drawn) < 2:
        return None
    if len({len(draws) for draws in drawn}) > 1 or len(drawn[0]) < 2:
        raise bad_input("the results have no draws in common; score all predictions again")
    differences = [first - second for first, second in combinations(drawn, 2)]
    bounds = [interval(difference, 0.95) for difference in differences]
    spread = float(np.median([difference.std(ddof=1) for difference in differences]))
    n_rows = sum(split.rows for split in manifest.splits if split.dimension == CLEAN)
    n_samples = min(n_rows, _MOST_SAMPLES)
    smallest = (_LEVEL + _POWER) * spread
    # The spread falls with the root of the number of samples.
    needed = math.ceil(round(n_samples * (smallest / DIFFERENCE) ** 2, 6))
    return Power(
        difference=DIFFERENCE,
        n_samples=n_samples,
        smallest_difference=rounded(smallest),
        n_samples_needed=needed,
        n_pairs=len(differences),
        n_pairs_apart=sum(low > 0 or high < 0 for low, high in bounds),
    )


def _agreement(labelled: LabelledRows, files: Sequence[Predictions]) -> list[CaseAgreement]:
    found = []
    for group in labelled.rows.groups:
        rows = slice(group.start, group.stop)
        answers = [file.labels[rows] for file in files if file.labels[group.start] != ABSENT]
        if group.setting is None or len(answers) < len(files):
            continue
        n_right = sum((labels == labelled.labels[rows]).astype(np.int64) for labels in answers)
        found.append(
            CaseAgreement(
                task=group.task,
                dimension=group.dimension,
                setting=group.setting,
                n_cases=group.stop - group.start,
                n_everybody=int(np.sum(n_right == len(files))),
                n_nobody=int(np.sum(n_right == 0)),
            )
        )
    return found
