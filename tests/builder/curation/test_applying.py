"""The next version holds annotations, lacks invalid cases, and its funnel still adds up."""

import json
import re
from pathlib import Path

import pytest
from crowd import answers_of, careful

from builder.curation.applying import apply_outcome
from builder.curation.collecting import CollectOptions, collect
from builder.curation.outcome import Outcome
from builder.curation.plan import Plan
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import verify
from contract.schema.manifest import FunnelInfo
from contract.schema.records import Record, records_of
from evaluator.scoring.validity_weights import read_weights
from leaderboard.view.data_cards import card_html

WRONG = {"negative": "positive", "positive": "negative"}


@pytest.fixture(scope="module")
def outcome(plan: Plan) -> Outcome:
    """Return the outcome of five careful people who find the first cases of every split invalid."""
    seen: dict[str, int] = {}
    disputed, relabelled = set(), set()
    for text in plan.of_part("case"):
        _, place = text.row.split(".", 1)
        cell = place.rsplit(".", 1)[0]
        seen[cell] = seen.get(cell, 0) + 1
        if seen[cell] == 1:
            disputed.add(text.key)
        elif seen[cell] in {2, 3}:
            relabelled.add(text.key)
    files = []
    for number in range(5):
        name = f"annotator-{number + 1}"
        file = careful(plan, name, seed=number, wrong=0.0)
        answers = [
            answer.model_copy(update={"label": WRONG[answer.label]})
            if answer.key in relabelled or (answer.key in disputed and number < 2)
            else answer
            for answer in file.answers
        ]
        files.append(answers_of(plan, name, answers))
    return collect(plan, files, CollectOptions(min_agreement=0.8))


def records_in(release: Release) -> dict[str, Record]:
    """Return all cases of a release by id."""
    return {
        record.id: record
        for split in release.manifest.splits
        if split.is_adversarial
        for record in records_of(release.table(split))
    }


def total(row: FunnelInfo) -> int:
    """Return what a row of the funnel gives an account of."""
    return row.n_frozen + sum(row.n_dropped.values())


def test_the_next_version_has_annotations_and_lacks_invalid_cases(
    judged: Release, outcome: Outcome, tmp_path: Path
) -> None:
    """It verifies, and whatever was not judged is as it was."""
    applied = apply_outcome(judged, outcome, tmp_path / "next")
    release = Release.open(tmp_path / "next")
    assert verify(release, Silence()) == []
    assert (release.manifest.name, release.manifest.version) == ("judged", "1.1")
    before, after = records_in(judged), records_in(release)
    verdicts = {case.id: case for case in outcome.cases}
    invalid = {name for name, case in verdicts.items() if case.verdict != "valid"}
    assert len(invalid) == 9
    assert before.keys() - after.keys() == invalid
    for name, record in after.items():
        if name in verdicts:
            case = verdicts[name]
            assert record.annotation == {"n": 5, "votes": list(case.votes), "agreement": 1.0, "valid": True}
        else:
            assert record == before[name]
    assert applied.n_dropped == {"human-consensus": 3, "utility": 6}


def test_both_stages_stand_in_a_funnel_that_adds_up(
    judged: Release, outcome: Outcome, tmp_path: Path
) -> None:
    """Frozen and dropped cases are still all candidates, and figures of attacks are counted anew."""
    manifest = apply_outcome(judged, outcome, tmp_path / "next").manifest
    assert len(manifest.funnel) == len(judged.manifest.funnel)
    for row, was in zip(manifest.funnel, judged.manifest.funnel, strict=True):
        assert total(row) == total(was) == row.n_candidates
        assert (row.n_dropped["human-consensus"], row.n_dropped["utility"]) == (1, 2)
        assert row.n_dropped["negation"] == was.n_dropped["negation"]
        assert row.n_frozen == was.n_frozen - 3
        files = [s for s in manifest.splits if (s.dimension, s.degree) == (row.dimension, row.degree)]
        assert row.n_frozen == sum(split.rows for split in files)
        assert row.n_transferable == sum(split.rows for split in files if split.tier)
    attacked = manifest.funnel[-1]
    assert attacked.n_source_fooled == judged.manifest.funnel[-1].n_source_fooled - 3


def test_the_manifest_says_who_judged_and_how_far_they_agreed(
    judged: Release, outcome: Outcome, tmp_path: Path
) -> None:
    """A release that nobody judged says nothing, so its bytes are as before."""
    info = apply_outcome(judged, outcome, tmp_path / "next").manifest.annotation
    assert info is not None
    assert (info.counted, info.n_judged, info.n_undecided) == ("people", 30, 0)
    assert info.previous_manifest_sha256 == judged.manifest_sha256
    (row,) = info.tasks
    assert (row.accuracy, row.accuracy_of_vote) == (1.0, 1.0)
    assert row.kappa == outcome.agreement[0].kappa
    assert "annotation" not in json.loads((judged.path / "manifest.json").read_text())
    assert "annotation" in json.loads((tmp_path / "next" / "manifest.json").read_text())


def test_validity_weights_are_the_shares_of_valid_cases(
    judged: Release, outcome: Outcome, tmp_path: Path
) -> None:
    """The evaluator reads them."""
    weights = apply_outcome(judged, outcome, tmp_path / "next").weights
    assert weights is not None
    assert weights.dimensions == {"synonym": {"0.1": 0.7}, "typo-general": {"0.1": 0.7, "0.3": 0.7}}
    weights.write(tmp_path / "weights.json")
    (read,) = read_weights(str(tmp_path / "weights.json"))
    assert read.of("synonym") == {0.1: 0.7}


def test_an_outcome_of_another_release_is_refused(judged: Release, outcome: Outcome, tmp_path: Path) -> None:
    """Also the next version of the same one, and a folder that would replace what was judged."""
    apply_outcome(judged, outcome, tmp_path / "next")
    with pytest.raises(UserError, match="give the release that the plan was drawn from"):
        apply_outcome(Release.open(tmp_path / "next"), outcome, tmp_path / "third")
    with pytest.raises(UserError, match="never changed"):
        apply_outcome(judged, outcome, judged.path)
    with pytest.raises(UserError, match="give a later one"):
        apply_outcome(judged, outcome, tmp_path / "third", version="0.9")
    forged = outcome.cases[0].model_copy(update={"id": "mr-99999.x"})
    with pytest.raises(UserError, match=r"cases that .* does not have, such as 'mr-99999.x'"):
        apply_outcome(judged, outcome.model_copy(update={"cases": (forged,)}), tmp_path / "third")
    assert not (tmp_path / "third").exists()


def test_undecided_cases_stay(judged: Release, plan: Plan, tmp_path: Path) -> None:
    """With what was said, but without a verdict."""
    files = [careful(plan, f"annotator-{number}", seed=number) for number in (1, 2)]
    outcome = collect(plan, files, CollectOptions())
    applied = apply_outcome(judged, outcome, tmp_path / "next")
    annotations = [record.annotation for record in records_in(Release.open(tmp_path / "next")).values()]
    assert [one["valid"] for one in annotations if one is not None] == [None] * 30
    assert applied.weights is None
    assert not applied.n_dropped


def test_the_card_of_the_next_version_tells_what_people_took_away(
    judged: Release, outcome: Outcome, tmp_path: Path
) -> None:
    """Tables 11 and 12 of AdvGLUE, for this release; also on the site's page of the card."""
    apply_outcome(judged, outcome, tmp_path / "next")
    card = (tmp_path / "next" / "README.md").read_text(encoding="utf-8")
    assert "| mr | typo-general | rule | 134 | 0.0 | 10.4 | 1.5 | 3.0 | 14.9 |" in card
    assert "30 cases were judged; the votes of people count." in card
    assert "| mr | person | 5 | 0 | 30 | 1.000 | 1.000 |" in card
    shown = str(card_html(tmp_path / "next"))
    assert re.search(r"<h3[^>]*>Filter rates</h3>", shown), "sites show the card"
    assert re.search(r"<h3[^>]*>Annotators</h3>", shown)


def test_a_release_without_a_funnel_gets_one(judged: Release, outcome: Outcome, tmp_path: Path) -> None:
    """Imported cases have no candidates but themselves; what people dropped of them is still counted."""
    manifest = judged.manifest.model_copy(update={"funnel": ()})
    bare = Release(path=judged.path, manifest=manifest, manifest_sha256=judged.manifest_sha256)
    funnel = apply_outcome(bare, outcome, tmp_path / "next").manifest.funnel
    assert len(funnel) == len(judged.manifest.funnel)
    for row in funnel:
        assert row.n_dropped == {"human-consensus": 1, "utility": 2}
        assert total(row) == row.n_candidates == row.n_samples == 60
