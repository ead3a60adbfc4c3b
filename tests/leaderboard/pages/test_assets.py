"""The site's scripts and styles: written in this project, and each used."""

import re

import pytest

from leaderboard.pages import hardening
from leaderboard.pages.rendering import ASSETS_PATH, TEMPLATES_PATH
from leaderboard.pages.reports import STYLES

ASSETS = sorted(path.relative_to(ASSETS_PATH).as_posix() for path in ASSETS_PATH.rglob("*") if path.is_file())
# What bundles and copies of other projects carry: licence comments that survive minifying, maps, modules.
GUESTS = re.compile(
    r"/\*!|@licen[cs]e|@preserve|copyright|\(c\) ?[0-9]{4}|sourceMappingURL|spdx-|module\.exports|^import ",
    re.IGNORECASE | re.MULTILINE,
)
# Code written by hand has short lines; minified code has not.
LONGEST_LINE = 1_000


def test_every_asset_is_one_that_a_page_loads() -> None:
    """No stray file, and none that is missing."""
    templates = "".join(path.read_text(encoding="utf-8") for path in TEMPLATES_PATH.glob("*.html"))
    loaded = set(re.findall(r"assets/([a-z_/]+\.(?:js|css))", templates)) | {*STYLES, *hardening.STYLES}
    (names,) = re.findall(r"for name in \[([^]]+)\]", templates)
    loaded |= {f"scoring/{name}.js" for name in re.findall(r'"([a-z_]+)"', names)}
    assert set(ASSETS) == loaded


@pytest.mark.parametrize("name", ASSETS)
def test_no_asset_is_a_guest(name: str) -> None:
    """Nothing is vendored: a file of another project would need its licence and a lock file of hashes."""
    text = (ASSETS_PATH / name).read_text(encoding="utf-8")
    assert not GUESTS.search(text)
    assert max(map(len, text.splitlines())) < LONGEST_LINE


def test_a_guest_would_be_found() -> None:
    """Such lines head the libraries that sites are wont to vendor."""
    for line in (
        "/*! jQuery v3.7.1 */",
        "// @license MIT",
        " * Copyright (c) 2013 Somebody",
        "import x from 'y'",
    ):
        assert GUESTS.search(line)
