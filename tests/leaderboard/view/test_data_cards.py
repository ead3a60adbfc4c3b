"""Data card, recipe and citation: what a release says of itself, never as code."""

import re
import shutil
from pathlib import Path

import pytest
import yaml
from made_releases import make_release
from made_results import make_result
from read_pages import Page

from contract.machine.hashes import hash_of_file
from contract.release.release import Release
from contract.schema.results import BenchmarkInfo, ModelInfo
from leaderboard.board.collecting import collect
from leaderboard.pages.site import write_site
from leaderboard.view.citations import result_citation
from leaderboard.view.data_cards import MOST_CHARACTERS, card_html, markdown_html, recipe_yaml

CARD = """---
license: other
---
# A card

| task | rows |
| --- | ---: |
| mr | 3 |

```console
$ hardfrost <verify> release
```
See [the source](https://example.org/a?b=1&c=2).
"""


def card_page(tmp_path: Path, card: str) -> Page:
    """Write a site whose release has this card, and return the page of it."""
    release_dir = make_release(tmp_path / "release")
    (release_dir / "README.md").write_text(card, encoding="utf-8")
    digest = Release.open(release_dir).manifest_sha256
    benchmark = BenchmarkInfo(name="robust-reviews", version="1.0.0", manifest_sha256=digest)
    make_result("one", dimensions=("novel",), benchmark=benchmark).write(tmp_path / "results" / "result.json")
    site = write_site(collect(tmp_path / "results"), tmp_path / "site", release_dir=release_dir).parent
    return Page(site / "card.html")


def test_a_card_is_a_page_without_what_the_hub_reads(tmp_path: Path) -> None:
    """Headings stand below the page's own, tables keep their alignment without a style."""
    page = card_page(tmp_path, CARD)
    assert page.complaints == []
    assert "license: other" not in page.text
    tags = [tag for tag, _ in page.elements]
    assert tags.count("h1") == 1
    assert {"h2", "table", "pre"} <= set(tags)
    assert '<td class="num">3</td>' in page.source
    assert "$ hardfrost <verify> release" in page.text
    link = {"href": "https://example.org/a?b=1&c=2", "rel": "noopener noreferrer nofollow"}
    assert ("a", link) in page.elements
    assert not [attributes for _, attributes in page.elements if "style" in attributes]
    assert "card.html" in Page(tmp_path / "site" / "index.html").addresses()


@pytest.mark.parametrize(
    "card",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onclick='x'>bold</b> word",
        "![pixel](https://example.org/pixel.png)",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x](file:///etc/passwd)",
        "[x](//example.org)",
        "<javascript:alert(1)>",
        "[x](https://good.example@evil.example/)",
        "```\n</code></pre><script>alert(1)</script>\n```",
        '```x"onload=alert(1)\nx\n```',
        "[x]: javascript:alert(1)\n\n[x]",
        "a\u202eb",
        "<!-- --><iframe src=//example.org></iframe>",
    ],
)
def test_a_hostile_card_is_only_text(tmp_path: Path, card: str) -> None:
    """No script, no picture, no handler, no address that is not a plain one."""
    page = card_page(tmp_path, card)
    assert page.complaints == []
    classes = [attributes.get("class") or "" for _, attributes in page.elements]
    inside = page.elements[classes.index("card prose") :]
    assert not {"script", "img", "iframe", "style", "b"} & {tag for tag, _ in inside}
    assert not [name for _, attributes in inside for name in attributes if name.startswith("on")]
    links = [attributes.get("href") for tag, attributes in inside if tag == "a"]
    assert all(link == "https://example.org/pixel.png" for link in links)
    assert not re.search("[\u202a-\u202e]", page.source)


def test_no_card_no_page(tmp_path: Path) -> None:
    """Nor one that is too large."""
    page = card_page(tmp_path, "x" * 10)
    assert "x" * 10 in page.text
    (tmp_path / "release" / "README.md").unlink()
    board = collect(tmp_path / "results")
    write_site(board, tmp_path / "site", release_dir=tmp_path / "release")
    assert not (tmp_path / "site" / "card.html").exists()
    assert "card.html" not in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    (tmp_path / "release" / "README.md").write_text("x" * 3_000_000, encoding="utf-8")
    write_site(board, tmp_path / "site", release_dir=tmp_path / "release")
    assert not (tmp_path / "site" / "card.html").exists()


def test_the_recipe_goes_with_the_site_unless_labels_are_withheld(tiny: Path, tmp_path: Path) -> None:
    """It builds the release again; with withheld labels it would give them away."""
    manifest = Release.open(tiny).manifest
    text = recipe_yaml(manifest)
    assert text is not None
    assert yaml.safe_load(text) == manifest.recipe
    assert recipe_yaml(manifest.model_copy(update={"labels": "withheld"})) is None
    assert recipe_yaml(manifest.model_copy(update={"imported_from": "advglue"})) is None
    release_dir = tmp_path / "release"
    shutil.copytree(tiny, release_dir)
    benchmark = BenchmarkInfo(
        name=manifest.name, version=manifest.version, manifest_sha256=Release.open(tiny).manifest_sha256
    )
    make_result("one", dimensions=("typo-general",), benchmark=benchmark).write(
        tmp_path / "results" / "result.json"
    )
    site = write_site(collect(tmp_path / "results"), tmp_path / "site", release_dir=release_dir).parent
    assert (site / "recipe.yaml").read_text(encoding="utf-8") == text
    assert hash_of_file(site / "manifest.json") == benchmark.manifest_sha256
    assert "hardfrost build recipe.yaml -o release --expect manifest.json" in Page(site / "index.html").text


def test_a_citation_is_one_entry_whatever_a_model_is_called() -> None:
    """Braces cannot end a field, and LaTeX prints what stands there."""
    model = ModelInfo(name="a}_b{%", organisation="me & {co}", url="https://example.org/a_b")
    entry = result_citation(make_result("x", strength=0.6, model=model))
    assert entry.count("{") == entry.count("}")
    assert r"title = {a)\_b(\% on robust-reviews 1.0.0}" in entry
    assert r"author = {{me \& (co)}}" in entry
    assert r"howpublished = {\url{https://example.org/a_b}}" in entry
    assert "Robustness 42.0, average 60.0; benchmark:robust-reviews@1.0.0|manifest:" in entry
    assert "partial" in result_citation(make_result("x", is_partial=True))


def test_markdown_keeps_words_that_look_like_code() -> None:
    """What is escaped can be read."""
    assert "&lt;b&gt;" in markdown_html("a <b> c")


def test_a_card_that_would_take_minutes_is_no_page(tmp_path: Path) -> None:
    """Nothing but brackets is slow to read; the block at the top does not count."""
    (tmp_path / "README.md").write_text("[" * (MOST_CHARACTERS + 1), encoding="utf-8")
    assert card_html(tmp_path) is None
    block = "configs: []\n" * (MOST_CHARACTERS // 10)
    (tmp_path / "README.md").write_text(f"---\n{block}---\nshort\n", encoding="utf-8")
    assert card_html(tmp_path) == "<p>short</p>\n"
