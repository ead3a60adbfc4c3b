"""Filter rates by attack: every stage counted, all of them adding up to what went in."""

from pathlib import Path

import pytest

from contract.release.filter_rates import filter_rates
from contract.release.people_summary import by_attack, print_by_attack
from contract.schema.annotations import AnnotationInfo, TaskAgreement
from contract.schema.drop_reasons import stage_of
from contract.schema.manifest import Manifest, MethodInfo

REFERENCE = Path(__file__).parents[3] / "data_cards" / "mr" / "manifest.json"


@pytest.fixture(scope="module")
def judged() -> Manifest:
    """Return the reference manifest as if people had judged some cases of every split."""
    manifest = Manifest.read(REFERENCE)
    funnel = [
        row.model_copy(
            update={
                "n_frozen": row.n_frozen - 3,
                "n_dropped": {**row.n_dropped, "human-consensus": 1, "utility": 2},
                "n_transferable": max(row.n_transferable - 3, 0),
            }
        )
        if row.n_frozen > row.n_transferable + 3
        else row
        for row in manifest.funnel
    ]
    agreement = TaskAgreement(
        task="mr", kind="person", n_annotators=5, n_unreliable=2, n_cases=60, accuracy=0.892, kappa=0.738
    )
    info = AnnotationInfo(
        counted="people",
        min_votes=3,
        min_agreement=0.6,
        tasks=(agreement,),
        n_judged=60,
        n_undecided=0,
        plan_sha256="0" * 64,
        previous_manifest_sha256="0" * 64,
    )
    return manifest.model_copy(update={"funnel": tuple(funnel), "annotation": info})


def test_the_stages_of_every_row_add_up_to_what_went_in(judged: Manifest) -> None:
    """On the reference release, before and after people judged it."""
    for manifest in (Manifest.read(REFERENCE), judged):
        rows = filter_rates(manifest)
        assert len(rows) == len({(row.task, row.dimension, row.setting) for row in manifest.funnel})
        for row in rows:
            stages = (row.n_not_transferable, row.n_fidelity, row.n_consensus, row.n_utility, row.n_kept)
            assert sum(stages) == row.n_in
            assert all(n >= 0 for n in stages)
            shares = [row.share(n) for n in stages]
            assert row.n_in == 0 or sum(share for share in shares if share is not None) == pytest.approx(1)


def test_what_went_in_is_every_candidate_of_which_a_case_was_made(judged: Manifest) -> None:
    """Candidates are what went in, what searches gave up, and what nobody was asked about."""
    for row in filter_rates(judged):
        cell = (row.task, row.dimension, row.setting)
        funnel = [f for f in judged.funnel if (f.task, f.dimension, f.setting) == cell]
        n_before = sum(
            n
            for one in funnel
            for reason, n in one.n_dropped.items()
            if stage_of(reason) in {"search", "unasked"}
        )
        assert row.n_in == sum(one.n_candidates for one in funnel) - n_before


def test_methods_have_rows_of_their_own_that_add_up(judged: Manifest) -> None:
    """Where a cell has methods, its rates stand by method: what each made, and what each stage took."""
    methods = {
        "one": MethodInfo(
            n_carrying=9,
            n_dropped={"negation": 2, "utility": 1, "human-consensus": 3},
            n_frozen=8,
            n_samples_frozen=6,
            n_transferable=5,
            n_samples_transferable=4,
        ),
        "other": MethodInfo(n_carrying=7, n_frozen=3, n_samples_frozen=3),
    }
    attacked = next(row for row in judged.funnel if row.setting == "score")
    manifest = judged.model_copy(update={"funnel": (attacked.model_copy(update={"methods": methods}),)})
    one, other = filter_rates(manifest)
    assert (one.attack, other.attack) == ("one", "other")
    assert (one.n_in, one.n_not_transferable, one.n_fidelity) == (14, 3, 2)
    assert (one.n_consensus, one.n_utility, one.n_kept) == (3, 1, 5)
    assert one.success_rate == pytest.approx(4 / 9)
    assert (other.n_in, other.n_not_transferable, other.n_kept) == (3, 3, 0)
    assert by_attack(manifest)["filter_rates"][1]["method"] == "other"


def test_people_are_counted_in_stages_of_their_own(judged: Manifest) -> None:
    """Consensus and utility, as AdvGLUE's Table 12 has them."""
    before = {(r.dimension, r.setting): r for r in filter_rates(Manifest.read(REFERENCE))}
    for row in filter_rates(judged):
        was = before[row.dimension, row.setting]
        assert (was.n_consensus, was.n_utility) == (0, 0)
        assert row.n_utility == 2 * row.n_consensus
        assert (row.n_in, row.n_fidelity) == (was.n_in, was.n_fidelity)


def test_the_tables_show_rates_and_people(judged: Manifest, capsys: pytest.CaptureFixture[str]) -> None:
    """Also as JSON; without annotators it is said that there are none."""
    print_by_attack(judged)
    shown = capsys.readouterr().out
    assert "Filter rates of mr" in shown
    assert "89.2" in shown
    assert "0.738" in shown
    value = by_attack(judged)
    assert value["annotation"]["tasks"][0]["kappa"] == 0.738
    assert value["filter_rates"][0]["n_in"] == filter_rates(judged)[0].n_in
    print_by_attack(Manifest.read(REFERENCE))
    assert "nobody has judged these cases" in capsys.readouterr().out
