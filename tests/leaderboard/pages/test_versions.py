"""Several versions on one site: each whole, each a link away from the others."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from made_releases import make_release
from made_reports import result_on
from made_results import BENCHMARK, make_result
from read_pages import pages_of

from contract.machine.errors import UserError
from leaderboard.board.collecting import collect
from leaderboard.commands.leaderboard import site


@pytest.fixture
def boards(tmp_path: Path) -> dict[str, Path]:
    """Return three leaderboards by version, the first with a release."""
    release_dir = make_release(tmp_path / "release")
    results = {"new": result_on(release_dir, "one")}
    for version in ("0.9", "0.8"):
        older = BENCHMARK.model_copy(update={"version": version})
        results[version] = make_result("one", benchmark=older)
    paths = {}
    for version, result in results.items():
        result.write(tmp_path / version / "result.json")
        paths[version] = tmp_path / f"{version}.json"
        collect(tmp_path / version).write(paths[version])
    return paths


def test_every_page_leads_to_every_version(boards: dict[str, Path], tmp_path: Path) -> None:
    """By relative links, so that a folder or a sub-path does."""
    release = ["--release", str(tmp_path / "release")]
    outcome = CliRunner().invoke(site, [*map(str, boards.values()), "-o", str(tmp_path / "site"), *release])
    assert outcome.exit_code == 0, outcome.output
    pages = pages_of(tmp_path / "site")
    roots = {path.removesuffix("index.html") for path in pages if path.endswith("index.html")}
    assert len(roots) == 3
    for path, page in pages.items():
        assert page.complaints == [], path
        folder = (tmp_path / "site" / path).parent
        targets = {(folder / address).resolve() for address in page.addresses() if "index.html" in address}
        assert {(tmp_path / "site" / root / "index.html").resolve() for root in roots} <= targets, path
        assert sum("aria-current" in attributes for _, attributes in page.elements) == 1
        for address in page.addresses():
            target = folder / address.partition("#")[0]
            assert address == "data:," or address.startswith("#") or target.is_file(), (path, address)
    shown = pages["index.html"].text
    assert all(f"robust-reviews {version}" in shown for version in ("1.0.0", "0.9", "0.8"))


def test_one_version_needs_no_menu(boards: dict[str, Path], tmp_path: Path) -> None:
    """Nothing to choose from."""
    CliRunner().invoke(site, [str(boards["0.9"]), "-o", str(tmp_path / "site")])
    assert "versions" not in pages_of(tmp_path / "site")["index.html"].source


def test_a_version_twice_or_a_release_of_none_is_refused(boards: dict[str, Path], tmp_path: Path) -> None:
    """And nothing is written."""
    output = ["-o", str(tmp_path / "site")]
    twice = CliRunner().invoke(site, [str(boards["0.9"]), str(boards["0.9"]), *output])
    assert isinstance(twice.exception, UserError)
    assert "robust-reviews 0.9 is given twice" in twice.exception.message
    release = ["--release", str(tmp_path / "release")]
    other = CliRunner().invoke(site, [str(boards["0.9"]), str(boards["0.8"]), *release, *output])
    assert isinstance(other.exception, UserError)
    assert "give the release on which its results were scored" in other.exception.message
    assert not (tmp_path / "site").exists()
