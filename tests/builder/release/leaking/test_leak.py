"""Labels that are withheld cannot be guessed from what is published; published the old way, they can."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.recipe.recipe import Recipe
from builder.release.leaking.published import Opened, open_published, published_tasks
from builder.release.leaking.report import GUESSABLE_SEEDS, Attacked, attack_labels, attack_row_numbers
from builder.release.publishing import withhold as withholding
from builder.release.publishing.public_form import PublicForm, Secret
from builder.release.publishing.withhold import Withheld, decide, withhold
from builder.run.pipeline import build
from contract.machine.errors import UserError
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import open_and_verify
from contract.schema.results import ModelInfo
from evaluator.scoring.score import ScoreOptions, score
from flows.command_line.entry import cli

N_SAMPLES = 100
RECIPE = {
    "name": "hidden",
    "version": "1",
    "seed": GUESSABLE_SEEDS + 7,
    "tasks": [{"name": "mr", "source": "mr", "samples": N_SAMPLES, "train_rows": 1500}],
    "dimensions": [{"name": "typo-general", "degrees": [0.1, 0.2]}],
    "settings": ["rule", "score"],
    "cases": {"rule": 1, "score": 2},
    "surrogates": ["word-tfidf", "char-tfidf"],
    "min_samples": 10,
    "decoys": True,
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """Return a release with attacked splits; its decoys are beside it."""
    path = tmp_path_factory.mktemp("built") / "release"
    build(Recipe.model_validate(RECIPE), path, Silence())
    return path


@pytest.fixture(scope="module")
def owner(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the owner's folder of that release."""
    folder = tmp_path_factory.mktemp("owner") / "private"
    withhold(Release.open(built), folder, accepts_public_source=True)
    return folder


def attacked(opened: Opened, original: Path) -> list[Attacked]:
    """Return what outsiders guess who also have the training rows of the original."""
    return attack_labels(published_tasks(opened, original=Release.open(original)))


def without_decoys(built: Path) -> Release:
    """Return the release as if its recipe had no decoys."""
    release = Release.open(built)
    recipe = {key: value for key, value in release.manifest.recipe.items() if key != "decoys"}
    manifest = release.manifest.model_copy(update={"recipe": recipe})
    return Release(path=release.path, manifest=manifest, manifest_sha256=release.manifest_sha256)


def test_on_the_old_way_of_publishing_the_attack_finds_the_labels(built: Path, tmp_path: Path) -> None:
    """All splits, opaque ids, shuffled rows: the direction of attacked cases tells nearly every label."""
    form = PublicForm(
        release=Release.open(built), decoys=None, secret=Secret(salt="salt"), left_out=frozenset()
    )
    withheld = Withheld(form=form, labels="".join(form.label_lines()), attacks=[])
    (tmp_path / "labels.jsonl").write_text(withheld.labels, encoding="utf-8")
    withheld.write(tmp_path / "release")
    found = {attack.way: attack for attack in attacked(open_published(tmp_path, None), built)}
    directions = [found[f"score cases, {name}"] for name in ("words", "characters")]
    assert max(attack.accuracy for attack in directions) > 0.9
    assert any(attack.is_above for attack in directions)
    assert not found["order of rows"].is_above
    done = CliRunner().invoke(cli, ["leak", str(tmp_path), "--original", str(built)])
    assert done.exit_code == 1
    assert "Labels leak" in done.output


def test_with_decoys_attacked_splits_are_published_and_tell_nothing(built: Path, owner: Path) -> None:
    """At least half of the samples have attacked cases, and no attack is above the bound."""
    public = Release.open(owner / "release")
    assert open_and_verify(public.path, Silence()) == []
    samples = {
        name
        for split in public.splits(setting="score")
        for name in public.table(split, ["sample_id"])["sample_id"].to_pylist()
    }
    assert len(samples) >= N_SAMPLES / 2
    found = attacked(open_published(owner, None), built)
    assert any("score" in attack.way for attack in found)
    assert [attack.way for attack in found if attack.is_above] == []
    done = CliRunner().invoke(cli, ["leak", str(owner), "--original", str(built)])
    assert done.exit_code == 0, done.output
    card = (public.path / "README.md").read_text(encoding="utf-8")
    assert "no attacked splits" not in card
    assert "decoys" in card


def test_every_sample_has_as_many_cases_for_each_label(built: Path, owner: Path) -> None:
    """Their numbers tell nothing; a text that both attacks end with is there once."""
    lines = map(json.loads, (owner / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    is_decoy = {row["id"]: row.get("decoy", False) for row in lines}
    public = Release.open(owner / "release")
    n_unequal = 0
    for split in public.splits(setting="score"):
        by_sample: dict[str, list[bool]] = {}
        for row in public.table(split, ["id", "sample_id"]).to_pylist():
            by_sample.setdefault(row["sample_id"], []).append(is_decoy[row["id"]])
        assert all(not all(of_sample) for of_sample in by_sample.values())
        n_unequal += sum(2 * sum(of_sample) != len(of_sample) for of_sample in by_sample.values())
    # Only where texts are equal.
    assert n_unequal <= N_SAMPLES / 10


def test_decoys_do_not_count(owner: Path, tmp_path: Path) -> None:
    """Whoever is right on cases and wrong on decoys is right everywhere."""
    other = {"negative": "positive", "positive": "negative"}
    answers = []
    for line in (owner / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        label = other[row["label"]] if row.get("decoy") else row["label"]
        answers.append(json.dumps({"id": row["id"], "prediction": label}) + "\n")
    (tmp_path / "answers.jsonl").write_text("".join(answers), encoding="utf-8")
    result = score(
        owner / "release",
        tmp_path / "answers.jsonl",
        ModelInfo(name="knows"),
        options=ScoreOptions(resamples=0),
        labels_path=owner / "labels.jsonl",
    )
    assert result.overall is not None
    assert (result.overall.average.ewma, result.overall.worst.ewma) == (1.0, 1.0)


def test_without_decoys_attacked_splits_are_left_out_and_the_cards_first_line_says_so(
    built: Path, tmp_path: Path
) -> None:
    """What is left tells nothing."""
    withheld = decide(without_decoys(built))
    public = withheld.write(tmp_path / "release")
    assert public.splits(setting="score") == []
    assert public.splits(setting="rule") != []
    assert public.manifest.left_out == ("mr/typo-general/score",)
    assert not any(attack.is_above for attack in withheld.attacks)
    body = (public.path / "README.md").read_text(encoding="utf-8").partition("\n---\n")[2].split("\n")
    assert "no attacked splits" in next(line for line in body if line and not line.startswith("#"))
    assert public.manifest.seed == 0
    sheet = (public.path / "DATASHEET.md").read_text(encoding="utf-8")
    assert "Train on" not in sheet
    assert "seed" not in sheet.partition("## Tables")[0]


def test_decoys_themselves_are_not_published(built: Path) -> None:
    """They hold the labels that are not right."""
    decoys = built.with_name("release-decoys")
    done = CliRunner().invoke(cli, ["publish", str(decoys), "--repo", "frost/hidden", "--dry-run"])
    assert done.exit_code != 0
    assert isinstance(done.exception, UserError)
    assert "would tell its labels" in done.exception.message


def test_a_dry_run_writes_no_secret(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in the private folder nor, for a while, elsewhere."""
    written: list[Path] = []
    monkeypatch.setattr(withholding, "_write_private", lambda path, _text: written.append(path))
    private = tmp_path / "private"
    arguments = ["publish", str(built), "--repo", "frost/hidden", "--withhold-labels", str(private)]
    done = CliRunner().invoke(cli, [*arguments, "--accept-public-source", "--dry-run"])
    assert done.exit_code == 0, done.output
    assert "manifest.json" in done.output
    assert (written, private.exists()) == ([], False)


def test_a_seed_that_can_be_guessed_is_refused_with_decoys(built: Path) -> None:
    """Whoever makes the random choices again tells decoys from cases."""
    release = Release.open(built)
    manifest = release.manifest.model_copy(update={"seed": 1})
    guessable = Release(path=built, manifest=manifest, manifest_sha256=release.manifest_sha256)
    with pytest.raises(UserError, match="whoever guesses the seed 1"):
        decide(guessable)


def test_a_source_sorted_by_label_with_a_guessable_seed_is_refused(built: Path) -> None:
    """Sample numbers can be found by trying them, and this source has one label after the other."""
    release = Release.open(built)
    task = release.manifest.tasks[0].model_copy(update={"has_public_labels": False})
    manifest = release.manifest.model_copy(update={"seed": 1, "tasks": (task,), "recipe": {}})
    guessable = Release(path=built, manifest=manifest, manifest_sha256=release.manifest_sha256)
    (attack,) = attack_row_numbers(guessable)
    assert attack.is_above
    with pytest.raises(UserError, match="row numbers of the source"):
        decide(guessable)
