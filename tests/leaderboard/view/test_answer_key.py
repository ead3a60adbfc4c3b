"""The answers of a release as the page gets them: all of them, compact, and only where labels are public."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from made_boards import board_of_results
from made_results import make_result
from read_pages import Page
from scored_in_node import NEEDS_NODE, board_of, score_in_node, scripts_of
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release, write_small_release

from contract.release.release import Release
from leaderboard.pages.site import write_site
from leaderboard.view.answer_key import answer_key
from leaderboard.view.tables import table_of


def _many_cases(path: Path) -> int:
    """Write a release of some size and return its number of rows."""
    cases = tuple(
        Case(sample=sample, dimension=dimension, setting="rule", degree=degree, case=case)
        for dimension in ("phonetic-malicious", "typo-general")
        for degree in (0.05, 0.1, 0.2)
        for sample in range(200)
        for case in range(3)
    )
    labels = ("negative", "positive")
    task = SyntheticTask(name="mr", labels=labels, clean=tuple(i % 2 for i in range(200)), cases=cases)
    write_release(path, [task])
    return 200 + len(cases)


def test_a_hundred_thousand_rows_stay_below_a_megabyte(tmp_path: Path) -> None:
    """Ids are put together from sample, split and case, so a row takes a few bytes."""
    n_rows = _many_cases(tmp_path / "r")
    board = board_of(tmp_path / "r")
    key = answer_key(Release.open(tmp_path / "r"), board, table_of(board))
    assert key.script is not None
    assert len(key.script) / n_rows < 10


@NEEDS_NODE
@pytest.mark.parametrize("are_ids_our_own", [True, False])
def test_every_id_comes_back_as_it_is(tmp_path: Path, *, are_ids_our_own: bool) -> None:
    """Ids that are made otherwise than ours stand in full."""
    path = write_small_release(tmp_path / "r")
    if not are_ids_our_own:
        for split in path.rglob("*.parquet"):
            table = pq.read_table(split)
            ids = [f"x{name[::-1]}" for name in table["id"].to_pylist()]
            pq.write_table(table.set_column(table.schema.get_field_index("id"), "id", [ids]), split)
    expected = right_answers(path)
    file = write_answers(tmp_path / "p.csv", expected)
    answer = score_in_node(scripts_of(tmp_path), path, [file])
    assert answer["ids"] == list(expected)
    assert answer["answers"][0]["scores"]["overall"]["worst"] == {"ewma": 1}


def test_the_key_is_loaded_on_its_page_alone(tmp_path: Path) -> None:
    """It lies beside the other data; no page asks for it before a file is given."""
    path = write_small_release(tmp_path / "r")
    site_dir = write_site(board_of(path), tmp_path / "site", release_dir=path).parent
    assert (site_dir / "data" / "answer_key.js").is_file()
    for page in site_dir.rglob("*.html"):
        assert "answer_key" not in page.read_text()
        assert ("assets/scoring/" in page.read_text()) is (page.name == "submit.html")
    assert "submit.html" in Page(site_dir / "index.html").addresses()


def test_without_public_labels_the_page_shows_the_command_line_and_says_why(tmp_path: Path) -> None:
    """No answers lie in the site, and nothing pretends to take a file."""
    task = SyntheticTask(name="t", labels=("no", "yes"), clean=(0, 1), cases=())
    write_release(tmp_path / "withheld", [task], labels="withheld", commitment="0" * 64)
    write_release(tmp_path / "secret", [SyntheticTask(name="t", labels=task.labels, clean=(-1, 1), cases=())])
    reasons = {
        "withheld": "the labels of this benchmark are withheld",
        "secret": "some labels of this benchmark are withheld",
    }
    for name, reason in reasons.items():
        board = board_of(tmp_path / name)
        site_dir = write_site(board, tmp_path / f"site-{name}", release_dir=tmp_path / name).parent
        _assert_command_line_alone(site_dir, reason)
    site_dir = write_site(board_of_results([make_result("one")]), tmp_path / "site").parent
    _assert_command_line_alone(site_dir, "this site was written without the release")


def _assert_command_line_alone(site_dir: Path, reason: str) -> None:
    page = Page(site_dir / "submit.html")
    assert page.complaints == []
    assert reason in page.text
    assert "hardfrost check release predictions.jsonl" in page.text
    assert not [tag for tag, _ in page.elements if tag == "input"]
    assert not (site_dir / "data" / "answer_key.js").exists()


def test_a_release_too_large_for_a_browser_gets_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that never answers would be worse than one that says why."""
    monkeypatch.setattr("leaderboard.view.answer_key.MOST_ROWS", 10)
    path = write_small_release(tmp_path / "r")
    board = board_of(path)
    key = answer_key(Release.open(path), board, table_of(board))
    assert key.script is None
    assert key.why_not == "54 rows are too many for a browser"
