"""Lets the tests of this folder import a crowd, made releases and the browser; lends a release and a plan."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Folders of tests are no packages.
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[2] / "evaluator"))
sys.path.append(str(Path(__file__).parents[2] / "leaderboard"))
sys.path.append(str(Path(__file__).parents[2] / "classifiers"))

from browser import HOW_TO_INSTALL, IS_INSTALLED, Browser, browsing
from crowd import make_release

from builder.curation.drawing import draw_plan
from builder.curation.known_texts import DrawOptions
from builder.curation.plan import Plan
from contract.release.release import Release


@pytest.fixture(scope="session")
def judged_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a made-up release; tests must not write into it."""
    return make_release(tmp_path_factory.mktemp("judged") / "release")


@pytest.fixture(scope="session")
def judged(judged_path: Path) -> Release:
    """Return a made-up release with cases of a rule and of an attack."""
    return Release.open(judged_path)


@pytest.fixture(scope="session")
def plan(judged: Release) -> Plan:
    """Return a plan of ten cases a split for five annotators."""
    return draw_plan(judged, DrawOptions(seed=4, per_cell=10))


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """Lend a window that saves files into the test's folder; the page must be quiet and ask for nothing."""
    if not IS_INSTALLED:
        pytest.skip(f"NOT TRIED IN A BROWSER: {HOW_TO_INSTALL}")
    with browsing() as window:
        window.emulate("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
        window.requests()
        yield window
        assert window.complaints() == []
        asked = [
            address for address in window.requests() if not address.startswith(("file:", "data:", "about:"))
        ]
        assert [address for address in asked if not address.startswith("blob:")] == []


@pytest.fixture(scope="session")
def judged_plan_of_two(judged: Release) -> Plan:
    """Return a plan in which two annotators share no case."""
    return draw_plan(judged, DrawOptions(seed=4, per_cell=10, n_annotators=2, overlap=1))
