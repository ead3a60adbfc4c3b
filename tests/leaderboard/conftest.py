"""Lets the tests of this folder import `made_results` and the evaluator's releases; lends a real browser."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Folders of tests are no packages.
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1] / "evaluator"))

from browser import HOW_TO_INSTALL, IS_INSTALLED, Browser, browsing
from made_boards import make_board

from contract.schema.leaderboards import Leaderboard
from leaderboard.pages.site import write_site


@pytest.fixture(scope="session")
def board() -> Leaderboard:
    """Return a leaderboard with an entry of every kind."""
    return make_board()


@pytest.fixture(scope="session")
def site_dir(board: Leaderboard, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write its site once for all tests that only read it."""
    return write_site(board, tmp_path_factory.mktemp("browser") / "site").parent


@pytest.fixture(scope="session")
def window() -> Iterator[Browser]:
    """Open one browser window for all tests that need one."""
    if not IS_INSTALLED:
        pytest.skip(f"NOT TRIED IN A BROWSER: {HOW_TO_INSTALL}")
    with browsing() as browser:
        yield browser


@pytest.fixture
def plain_window() -> Iterator[Browser]:
    """Open a browser window in which scripts do not run."""
    if not IS_INSTALLED:
        pytest.skip(f"NOT TRIED IN A BROWSER: {HOW_TO_INSTALL}")
    with browsing(with_scripts=False) as browser:
        yield browser


@pytest.fixture
def browser(window: Browser) -> Iterator[Browser]:
    """Lend the window and check afterwards that the page was quiet and asked for nothing from outside."""
    window.emulate("Emulation.clearDeviceMetricsOverride")
    window.emulate("Emulation.setEmulatedMedia", media="", features=[])
    window.complaints()
    window.requests()
    yield window
    assert window.complaints() == []
    assert [
        address for address in window.requests() if not address.startswith(("file:", "data:", "about:"))
    ] == []
