"""Ready-made releases are built, packed, listed and downloaded; the one that ships needs nothing else."""

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import hardfrost
from builder.dimensions import CORE_DIMENSIONS
from builder.recipe.recipe_file import find_recipe, read_recipe
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import open_and_verify
from contract.schema.release_lists import ReleaseList
from contract.transport.named_releases import SHIPPED_LIST
from data_cards.releases import Given, main, ship_release
from leaderboard.board.collecting import collect

MOST_BYTES = 1_250_000


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])


def test_recipes_become_archives_with_cards_and_a_list(tiny: Path, tmp_path: Path) -> None:
    """What cannot be built is said; what is named and cannot be built is a failure."""
    done = CliRunner().invoke(main, ["tiny", "injection", "-o", str(tmp_path), "--no-ship"])
    assert done.exit_code == 1
    assert "injection: not built: " in done.stderr
    assert "tiny-2.0.tar.gz" in done.stdout
    assert (tmp_path / "cards" / "tiny.md").read_text(encoding="utf-8").count("mr-tiny")
    (entry,) = ReleaseList.read(tmp_path / "releases.json").releases
    assert (entry.name, entry.version, entry.address) == ("tiny", "2.0", "tiny-2.0.tar.gz")
    fetched = run("download", "tiny", "-o", tmp_path / "again", "--list", tmp_path / "releases.json")
    assert fetched.exit_code == 0, fetched.output
    rows = {split.path: split.rows_sha256 for split in Release.open(tmp_path / "again").manifest.splits}
    assert rows == {split.path: split.rows_sha256 for split in Release.open(tiny).manifest.splits}
    ship_release("tiny", tmp_path, tmp_path / "package")
    assert sorted(path.name for path in (tmp_path / "package").iterdir()) == [
        "releases.json",
        "tiny-2.0.tar.gz",
    ]


def test_data_sources_go_to_the_recipes_that_have_the_task(tmp_path: Path) -> None:
    """Files of the folder give way to those that are named."""
    (tmp_path / "spam").mkdir()
    (tmp_path / "spam" / "sms.tsv").write_text("ham\thello there\n", encoding="utf-8")
    given = Given(data=tmp_path)
    spam = given.applied(read_recipe(find_recipe("spam")))
    assert spam.tasks[0].source == f"file:{tmp_path.resolve()}/spam/sms.tsv"
    assert given.applied(read_recipe(find_recipe("olid"))).tasks[0].source.startswith("hub:")
    named = Given(data=tmp_path, sources=[f"spam=file:{tmp_path}/other.tsv"])
    assert named.applied(read_recipe(find_recipe("spam"))).tasks[0].source.endswith("/other.tsv")
    assert named.applied(read_recipe(find_recipe("tiny"))) == read_recipe(find_recipe("tiny"))


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the release that ships, downloaded where no network is."""

    def refused(*_: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.chdir(tmp_path)
    done = run("download", "demo", "--offline")
    assert done.exit_code == 0, done.output
    return tmp_path / "demo"


def test_the_shipped_release_is_of_its_recipe_and_small(demo: Path) -> None:
    """Balanced, of at least 200 samples, with random cases in every core dimension and attempts."""
    archive = SHIPPED_LIST.parent / ReleaseList.read(SHIPPED_LIST).releases[0].address
    assert archive.stat().st_size < MOST_BYTES
    assert open_and_verify(demo, Silence()) == []
    manifest = Release.open(demo).manifest
    assert manifest.recipe_sha256 == read_recipe(find_recipe("demo")).sha256
    (task,) = manifest.tasks
    assert task.n_samples >= 200
    with_cases = {split.dimension for split in manifest.splits if split.setting == "rule" and split.rows}
    assert with_cases == set(CORE_DIMENSIONS)
    assert any(split.rows for split in manifest.splits if split.setting == "score")
    (clean,) = Release.open(demo).splits(dimension="clean")
    labels = Release.open(demo).table(clean, ["label"])["label"].to_pylist()
    assert labels.count(0) == labels.count(1) == task.n_samples // 2


def test_download_predict_score_and_site_work_with_what_ships(demo: Path) -> None:
    """A newcomer's first minute; the new result stands beside those that came along."""
    before = collect(demo / "results", release_dir=demo)
    assert sum(entry.status == "ranked" for entry in before.entries) >= 3
    steps = [
        ["predict", demo, "--model", "majority", "-o", "predictions.jsonl"],
        ["score", demo, "predictions.jsonl", "--model-name", "mine", "-o", demo / "results/mine.json"],
        ["leaderboard", demo / "results", "--release", demo, "-o", "leaderboard.json"],
        ["site", "leaderboard.json", "--release", demo, "-o", "site"],
    ]
    for step in steps:
        done = run(*step)
        assert done.exit_code == 0, done.output
    names = [
        entry["result"]["model"]["name"]
        for entry in json.loads(Path("leaderboard.json").read_bytes())["entries"]
    ]
    assert "mine" in names
    assert len(names) == len(before.entries) + 1
    assert Path("site/index.html").is_file()
