"""Time to write the site of a large leaderboard, and until its first page answers in the machine's Chromium.

Run: python -m benchmarks.site [--entries 1000] [--tasks 3] [--settings 1]
Ends with 1 where a figure is above its limit or cannot be measured.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from contract.schema.leaderboards import Leaderboard, LeaderboardDimension
from contract.schema.results import ModelInfo
from leaderboard.board.collecting import FoundResult, FoundResults, collect_found
from leaderboard.pages.site import write_site

# Folders of tests are no packages; they have made-up results and a driver for the browser.
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "leaderboard"))

from browser import IS_INSTALLED, browsing
from made_results import DIMENSIONS, make_result

# Scripts are deferred: when this event ends, the table answers.
INTERACTIVE = "return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
# As late as can be: when the rows that wait for the first ones to be drawn are laid out as well.
WHOLE = (
    "document.documentElement.classList.remove('reading'); document.body.offsetHeight;"
    "return performance.now()"
)
SORT = (
    "const before = performance.now();"
    "document.querySelector('th[data-key=clean] .sorter').click(); document.body.offsetHeight;"
    "return performance.now() - before"
)


# What a leaderboard of a thousand entries may take, on a machine of two processors.
MOST_SECONDS_TO_WRITE = 20.0
MOST_MEGABYTES = 5.0
MOST_SECONDS_UNTIL_INTERACTIVE = 2.0


def made_leaderboard(n_entries: int, n_tasks: int, n_settings: int) -> Leaderboard:
    """Return a leaderboard of invented models in eleven dimensions."""
    found = []
    for place in range(n_entries):
        name = f"model-{place}"
        result = make_result(
            name,
            strength=0.3 + 0.4 * place / n_entries,
            tasks=[f"task-{number}" for number in range(n_tasks)],
            settings=("rule", "score", "gradient")[:n_settings],
            model=ModelInfo(name=name, organisation="organisation", revision="1.0"),
        )
        found.append(FoundResult(path=f"organisation__{name}/1.0/result.json", result=result))
    tags = tuple(
        LeaderboardDimension(name=name, tag="malicious" if name.endswith("malicious") else "general")
        for name in DIMENSIONS
    )
    collected = collect_found(FoundResults(results=tuple(found), ignored=()))
    return collected.model_copy(update={"dimensions": tags})


def main() -> None:
    """Print what was measured and fail where it is too much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000)
    parser.add_argument("--tasks", type=int, default=3)
    parser.add_argument("--settings", type=int, default=1, choices=(1, 2, 3))
    options = parser.parse_args()
    leaderboard = made_leaderboard(options.entries, options.tasks, options.settings)
    with tempfile.TemporaryDirectory() as folder:
        wall, processor = time.perf_counter(), time.process_time()
        page = write_site(leaderboard, Path(folder) / "site")
        seconds, megabytes = time.perf_counter() - wall, page.stat().st_size / 1e6
        print(
            f"{options.entries:,} entries, {options.tasks} tasks, {len(DIMENSIONS)} dimensions,"
            f" {options.settings} settings: written in {seconds:.1f} s"
            f" ({time.process_time() - processor:.1f} s of processor)"
        )
        print(f"first page: {megabytes:.2f} MB")
        interactive = seconds_until_interactive(page)
    limits = {
        "seconds to write": (seconds, MOST_SECONDS_TO_WRITE),
        "megabytes of the first page": (megabytes, MOST_MEGABYTES),
        "seconds until it answers": (interactive, MOST_SECONDS_UNTIL_INTERACTIVE),
    }
    for name, (figure, limit) in limits.items():
        verdict = "not measured" if figure is None else "TOO MUCH" if figure > limit else "fine"
        print(f"{name}: {'–' if figure is None else format(figure, '.2f')}, at most {limit:g}: {verdict}")
    if any(figure is None or figure > limit for figure, limit in limits.values()):
        sys.exit(1)


def seconds_until_interactive(page: Path) -> float | None:
    """Print how soon the first page answers, five times from the start, and return the median."""
    if not IS_INSTALLED:
        print("no Chromium with its driver: not opened")
        return None
    answers: list[float] = []
    with browsing() as browser:
        for _ in range(5):
            browser.open(page)
            whole, interactive, sort = (browser.run(script) / 1000 for script in (WHOLE, INTERACTIVE, SORT))
            answers.append(interactive)
            print(
                f"in Chromium: answers after {interactive:.2f} s, whole {whole:.2f} s, sorts in {sort:.2f} s"
            )
    return median(answers)


if __name__ == "__main__":
    main()
