"""Plans are the same for a seed, hold successful cases, and mix known answers in."""

from collections import Counter
from pathlib import Path

import pytest
from crowd import CELLS, make_release

from builder.curation.drawing import draw_plan, is_successful
from builder.curation.known_texts import DrawOptions
from builder.curation.plan import Plan
from contract.machine.errors import UserError
from contract.release.release import Release
from contract.schema.records import records_of


def test_a_seed_decides_the_plan(judged: Release, plan: Plan, tmp_path: Path) -> None:
    """The same seed gives the same file, on another copy as well; another seed other cases and keys."""
    again = draw_plan(Release.open(make_release(tmp_path / "copy")), DrawOptions(seed=4, per_cell=10))
    assert again == plan
    plan.write(tmp_path / "plan.json")
    assert Plan.read(tmp_path / "plan.json").sha256 == plan.sha256
    other = draw_plan(judged, DrawOptions(seed=5, per_cell=10))
    assert {text.row for text in other.of_part("case")} != {text.row for text in plan.of_part("case")}
    assert not {text.key for text in other.texts} & {text.key for text in plan.texts}


def test_only_cases_that_fool_a_surrogate_are_drawn(judged: Release, plan: Plan) -> None:
    """As RobTest draws: so many of every task, dimension, setting and degree, all of different samples."""
    records = {
        record.id: record
        for split in judged.manifest.splits
        if split.is_adversarial
        for record in records_of(judged.table(split))
    }
    drawn = [records[text.row] for text in plan.of_part("case")]
    assert all(record.surrogate_predictions != (record.label,) for record in drawn)
    cells = Counter((record.dimension, record.setting, record.degree) for record in drawn)
    assert cells == dict.fromkeys(CELLS, 10)
    assert all(cell.n_successful == 40 for cell in plan.cells)
    for cell in CELLS:
        samples = [r.sample_id for r in drawn if (r.dimension, r.setting, r.degree) == cell]
        assert len(set(samples)) == 10


def test_a_surrogate_that_was_wrong_before_is_not_fooled(judged: Release) -> None:
    """A case of `rule` is successful only when it changes a right answer."""
    split = next(split for split in judged.manifest.splits if split.setting == "rule")
    record = next(r for r in records_of(judged.table(split)) if r.surrogate_predictions != (r.label,))
    assert is_successful(record, (record.label,))
    assert not is_successful(record, (1 - record.label,))


def test_known_answers_are_known(plan: Plan) -> None:
    """Untouched texts are compared with themselves, the others with one of another label."""
    controls, known = plan.of_part("control"), plan.of_part("known")
    assert len(controls) == 10
    assert all(text.text == text.original and text.keeps is True for text in controls)
    assert len(known) >= 9
    for text in known:
        assert text.keeps is False
        assert ("lovely" in text.text) != ("lovely" in (text.original or ""))
    judged = {text.row.split(".")[0] for text in plan.of_part("case")}
    shown = {text.row.split(".")[0] for text in controls}
    assert not judged & shown, "a sample is not shown untouched to whoever judges its case"


def test_training_and_qualification_come_from_training_rows(plan: Plan) -> None:
    """So nothing of the work is given away, and both answers come up."""
    for part, n in (("training", 6), ("qualification", 10)):
        texts = [text for text in plan.texts if text.part == part]
        assert len(texts) == n
        assert {text.row.rsplit(".", 1)[1] for text in texts} == {"train"}
        assert {text.keeps for text in texts} == {True, False}
        assert {text.label for text in texts} == {0, 1}


@pytest.mark.parametrize(("n_annotators", "overlap"), [(5, 5), (5, 3), (7, 2), (1, 1)])
def test_every_case_has_as_many_judges_as_asked_for(judged: Release, n_annotators: int, overlap: int) -> None:
    """Never the same one twice, and nobody has much more than others; known answers go to everybody."""
    options = DrawOptions(seed=1, per_cell=10, n_annotators=n_annotators, overlap=overlap)
    plan = draw_plan(judged, options)
    cases = {text.key for text in plan.of_part("case")}
    counts = Counter(key for annotator in plan.annotators for key in annotator.work)
    assert {counts[key] for key in cases} == {overlap}
    for annotator in plan.annotators:
        assert len(set(annotator.work)) == len(annotator.work)
        assert {text.key for text in plan.of_part("control")} <= set(annotator.work)
    sizes = [len(annotator.work) for annotator in plan.annotators]
    assert max(sizes) - min(sizes) <= 1
    assert len({annotator.work for annotator in plan.annotators}) == n_annotators


def test_where_people_turned_labels_nobody_is_asked_about_meaning(judged: Release) -> None:
    """A contrast set changes meanings on purpose; its labels alone are judged."""
    manifest = judged.manifest.model_copy(update={"imported_from": "contrast"})
    release = Release(path=judged.path, manifest=manifest, manifest_sha256=judged.manifest_sha256)
    plan = draw_plan(release, DrawOptions(seed=1, per_cell=2))
    assert all(text.original is None for text in plan.of_part("case"))


def test_what_cannot_be_planned_is_refused(judged: Release) -> None:
    """In words that say what to do."""
    with pytest.raises(UserError, match="more people than the 3 there are"):
        draw_plan(judged, DrawOptions(seed=1, n_annotators=3, overlap=4))
    with pytest.raises(UserError, match="unknown dimension 'synonyms'; did you mean 'synonym'"):
        draw_plan(judged, DrawOptions(seed=1, dimensions=["synonyms"]))
    with pytest.raises(UserError, match="no case to judge"):
        draw_plan(judged, DrawOptions(seed=1, degrees=[0.7]))
    withheld = judged.manifest.model_copy(update={"labels": "withheld"})
    release = Release(path=judged.path, manifest=withheld, manifest_sha256=judged.manifest_sha256)
    with pytest.raises(UserError, match="labels are withheld"):
        draw_plan(release, DrawOptions(seed=1))
