"""Runs the scripts of the page that scores, in their order, with node and without a page."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from made_boards import board_of_results
from made_results import make_result
from read_pages import Page
from synthetic import SyntheticTask, write_release

from contract.release.release import Release
from contract.schema.leaderboards import Leaderboard
from contract.schema.metrics import FIRST_METRICS, MetricInfo
from contract.schema.results import BenchmarkInfo, ScoreSettings
from leaderboard.pages.rendering import ASSETS_PATH
from leaderboard.pages.site import write_site
from leaderboard.view.answer_key import answer_key
from leaderboard.view.tables import table_of

NODE = shutil.which("node")
NEEDS_NODE = pytest.mark.skipif(NODE is None, reason="SCORING BY THE PAGE WAS NOT COMPARED: install node")
# What only a page can run.
VIEWS = {"site", "charts", "tables", "page"}


def board_of(release_path: Path, settings: ScoreSettings | None = None) -> Leaderboard:
    """Return a leaderboard of a release with two invented entries."""
    release = Release.open(release_path)
    benchmark = BenchmarkInfo(
        name=release.manifest.name,
        version=release.manifest.version,
        manifest_sha256=release.manifest_sha256,
    )
    scored = {} if settings is None else {"score_settings": settings}
    results = [
        make_result(name, strength=strength, benchmark=benchmark, dimensions=("typo-malicious",), **scored)
        for name, strength in (("strong", 0.7), ("weak", 0.4))
    ]
    return board_of_results(results)


def scripts_of(folder: Path) -> list[Path]:
    """Return the pure scripts that the page loads, in its order."""
    task = SyntheticTask(name="t", labels=("no", "yes"), clean=(0,), cases=())
    write_release(folder / "release", [task])
    write_site(board_of(folder / "release"), folder / "site", release_dir=folder / "release")
    addresses = [
        address for address in Page(folder / "site" / "submit.html").addresses() if address.endswith(".js")
    ]
    paths = [ASSETS_PATH.parent / address for address in addresses]
    return [path for path in paths if path.stem not in VIEWS]


def score_in_node(
    scripts: Sequence[Path],
    release_path: Path,
    files: Sequence[Path],
    settings: ScoreSettings | None = None,
    metrics: Sequence[MetricInfo] = FIRST_METRICS,
) -> dict[str, Any]:
    """Return what the page would know of the release and of each file."""
    board = board_of(release_path, settings)
    key = answer_key(Release.open(release_path), board, table_of(board))
    assert key.script is not None
    key_path = release_path.parent / "answer_key.js"
    key_path.write_text(key.script)
    request = {
        "scripts": list(map(str, scripts)),
        "key": str(key_path),
        "files": list(map(str, files)),
        "metrics": [{"key": info.key, "heading": info.heading} for info in metrics],
    }
    assert NODE is not None
    runner = Path(__file__).with_name("score_in_node.js")
    done = subprocess.run(
        [NODE, str(runner)], input=json.dumps(request), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
