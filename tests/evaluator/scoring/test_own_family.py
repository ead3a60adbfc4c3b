"""Scores of a surrogate's relative: beside them, the same without the cases made against its family."""

import json
from pathlib import Path

import pytest
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release

from contract.machine.errors import UserError
from contract.schema.manifest import SurrogateInfo
from contract.schema.results import ModelInfo, Result, WithoutOwnFamily
from evaluator.commands.tables import print_result
from evaluator.scoring.score import ScoreOptions, score

SAMPLES = range(4)
RELATIVE = ModelInfo(name="relative", is_surrogate_family=True, surrogate="minilm")


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a release attacked through three sources, one of them an ensemble; one part knows only two."""
    made = {
        ("typo", "rule"): [None],
        ("typo", "score"): ["minilm", "cnn", "ensemble:cnn+minilm"],
        ("glyph", "score"): ["minilm", "ensemble:cnn+minilm"],
    }
    cases = [
        Case(sample=sample, dimension=dimension, setting=setting, degree=degree, case=case, source=source)
        for (dimension, setting), sources in made.items()
        for degree in (0.1, 0.2)
        for sample in SAMPLES
        for case, source in enumerate(sources)
    ]
    task = SyntheticTask(name="mr", labels=("no", "yes"), clean=(0, 1, 0, 1), cases=tuple(cases))
    surrogates = [
        SurrogateInfo(name=name, kind=name.partition(":")[0], task="mr", weights_sha256="0" * 64)
        for name in ("minilm", "cnn", "ensemble:cnn+minilm")
    ]
    write_release(tmp_path / "release", [task], min_samples=3, surrogates=tuple(surrogates))
    return tmp_path / "release"


def scored(release: Path, model: ModelInfo, *, left_out: str = "nothing") -> Result:
    """Score a model that falls for everything made against its kin, and for nothing else."""
    answers = right_answers(release)
    for name in answers:
        is_of_kin = ".score." in name and not (".typo." in name and name.endswith(".1"))
        if is_of_kin:
            answers[name] = "no" if answers[name] == "yes" else "yes"
    kept = {name: answer for name, answer in answers.items() if left_out not in name}
    path = write_answers(release.parent / "predictions.jsonl", kept)
    return score(release, path, model, options=ScoreOptions(resamples=0))


def test_cases_made_against_the_own_family_are_dropped(release: Path) -> None:
    """Ensembles that ask the surrogate count as its family; parts with nothing left are named."""
    result = scored(release, RELATIVE)
    assert result.overall is not None
    # Right in rule; in score a third of one dimension and nothing of the other.
    assert result.overall.average.ewma == pytest.approx((1 + (1 / 3 + 0) / 2) / 2)
    assert result.without_own_family == WithoutOwnFamily(
        sources=("minilm", "ensemble:cnn+minilm"),
        n_dropped=2 * 4 * 4,
        n_cases=2 * 4 * 2,
        average=1.0,
        worst=1.0,
        not_scored=("mr/glyph/score",),
    )


def test_the_terminal_says_it_too(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Below the overall scores."""
    print_result(scored(release, RELATIVE))
    shown = capsys.readouterr().out
    assert "without 32 cases made against its family (minilm, ensemble:cnn+minilm): average 100.0" in shown


def test_others_and_partial_entries_have_no_such_figures(release: Path) -> None:
    """What is not asked for is not computed; a part has no overall score to stand beside."""
    assert scored(release, ModelInfo(name="other")).without_own_family is None
    assert scored(release, RELATIVE, left_out=".typo.rule.").without_own_family is None


def test_an_unknown_surrogate_is_refused_with_those_of_the_release(release: Path) -> None:
    """A wrong name must not pass for a family without cases."""
    with pytest.raises(UserError, match="unknown surrogate 'minilmm'; did you mean 'minilm'"):
        scored(release, ModelInfo(name="relative", surrogate="minilmm"))


def test_older_readers_and_results_pass(release: Path, tmp_path: Path) -> None:
    """A result without the key reads as before."""
    path = tmp_path / "result.json"
    scored(release, RELATIVE).write(path)
    raw = json.loads(path.read_text(encoding="utf-8"))
    del raw["without_own_family"], raw["model"]["surrogate"]
    path.write_text(json.dumps(raw), encoding="utf-8")
    assert Result.read(path).without_own_family is None
