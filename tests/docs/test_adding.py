"""Each page that says how to add a part is followed literally, in a copy of the project."""

from pathlib import Path

import pytest
from pages import ROOT, blocks_of, check_printed, copy_project, follow, inserted

ADDING = ROOT / "docs" / "adding"
PAGES = sorted(path for path in ADDING.glob("*.md") if path.name != "index.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    """Its files are written, its lines inserted, its commands run, and they print what it shows."""
    n_commands = follow(page, copy_project(tmp_path / "project"))
    assert n_commands >= 2


def test_every_page_is_in_the_overview() -> None:
    """The overview leads to each."""
    overview = (ADDING / "index.md").read_text(encoding="utf-8")
    assert all(f"({page.name})" in overview for page in PAGES)


def test_the_readme_tests_a_model(tmp_path: Path) -> None:
    """What stands under "Test my model" works in an empty folder."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = tmp_path / "section.md"
    section.write_text(readme.partition("## Test my model")[2].partition("\n## ")[0], encoding="utf-8")
    assert {block.title for block in blocks_of(section)} == {"my_model.py", None}
    folder = tmp_path / "empty"
    folder.mkdir()
    assert follow(section, folder, project=ROOT) == 4
    assert (folder / "report.html").is_file()


def test_a_difference_must_fit_exactly_once() -> None:
    """A page whose surroundings have changed is not half applied."""
    assert inserted("a\nb\n", " a\n+new\n b\n") == "a\nnew\nb\n"
    with pytest.raises(AssertionError, match="not 0 times"):
        inserted("a\nb\n", " a\n+new\n c\n")
    with pytest.raises(AssertionError, match="not 2 times"):
        inserted("a\na\n", " a\n+new\n")


def test_printed_lines_are_compared_in_order() -> None:
    """A line that is missing, or comes too early, is a failure."""
    check_printed(["one …", "…", "three"], "one 1\ntwo\nthree\n", "command")
    with pytest.raises(AssertionError, match="should print"):
        check_printed(["three", "one …"], "one 1\ntwo\nthree\n", "command")
