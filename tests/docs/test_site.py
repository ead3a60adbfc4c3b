"""The site of the documentation: every link leads somewhere, and no page asks anything of a network."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from pages import ROOT

# What a browser fetches by itself when it shows a page.
FETCHED = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
MARKDOWN_LINK = re.compile(r"\]\(([^)\s]+)\)")
MOST_README_LINES = 150


class Page(HTMLParser):
    """What a page fetches, where it leads to, and the anchors that it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what matters of a tag."""
        values = {name: value for name, value in attrs if value is not None}
        if "id" in values:
            self.anchors.add(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if FETCHED.get(tag) in values:
            self.fetched.append(values[FETCHED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make docs` does; a broken link or a page that the menu lacks is an error."""
    folder = tmp_path_factory.mktemp("site-docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """Read every page of the site; the page for wrong addresses is served at any of them."""
    return {path: Page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}


def test_there_is_a_page_for_each_source(site: Path) -> None:
    """Nothing is left out, and no code is published as a page."""
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert sources == {path.relative_to(site) for path in site.rglob("*.html")} - {Path("404.html")}
    assert not list(site.rglob("*.py"))


def test_a_page_loads_nothing_from_a_network(pages: dict[Path, Page], site: Path) -> None:
    """No font, script, style or picture comes from another machine."""
    fetched = [(page.path.name, address) for page in pages.values() for address in page.fetched]
    assert len(fetched) > len(pages)
    assert [pair for pair in fetched if urlsplit(pair[1]).netloc] == []
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)\"']*", styles) == []


def test_what_a_page_loads_is_there(pages: dict[Path, Page]) -> None:
    """Pictures, styles and scripts are in the folder."""
    for page in pages.values():
        for address in page.fetched:
            assert (page.path.parent / unquote(urlsplit(address).path)).is_file(), (page.path.name, address)


def test_links_lead_to_pages_and_anchors(pages: dict[Path, Page]) -> None:
    """Inside the site, a link without its target is an error."""
    broken = []
    for page in pages.values():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            anchors = pages[target].anchors if target in pages else set()
            if not target.is_file() or (parts.fragment and unquote(parts.fragment) not in anchors):
                broken.append(f"{page.path.name}: {link}")
    assert broken == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_of_the_first_pages_exist(name: str, pages: dict[Path, Page], site: Path) -> None:
    """Relative links lead to files of the project, and anchors to headings of the documentation."""
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in MARKDOWN_LINK.findall(text):
        parts = urlsplit(link)
        if parts.scheme:
            continue
        assert (ROOT / parts.path).exists(), link
        if parts.fragment:
            built = site / Path(parts.path).relative_to("docs").with_suffix(".html")
            assert parts.fragment in pages[built].anchors, link


def test_the_readme_is_short() -> None:
    """What does not fit into it has a page of its own."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= MOST_README_LINES


def test_the_picture_names_folders_that_exist() -> None:
    """The picture of the architecture is drawn by hand, and folders may move."""
    picture = (ROOT / "docs/images/flow.svg").read_text(encoding="utf-8")
    named = set(
        re.findall(r"[a-z_]+/(?:[a-z_]+/)*(?:[a-z_]+\.py)?", " ".join(re.findall(r">([^<]+)<", picture)))
    )
    assert {"builder/", "evaluator/", "leaderboard/"} <= named
    assert [name for name in named if not (ROOT / name).exists()] == []
