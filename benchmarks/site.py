"""Time to write the site of a large leaderboard, and until its first page can be used in Chromium.

Run: python -m benchmarks.site [--entries 1000] [--tasks 3] [--settings 1]
Ends with 1 where a figure is above its limit or cannot be measured.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from contract.schema.leaderboards import Leaderboard
from contract.schema.results import ModelInfo
from leaderboard.pages.site import write_site

# The folder of tests is not a package; it has made-up results and the browser.
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "leaderboard"))

from browser import IS_INSTALLED, browsing
from made_boards import board_of_results, with_tags
from made_results import DIMENSIONS, make_result

# Scripts are deferred: when this event ends, the table can be sorted.
INTERACTIVE = "return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
# All rows are laid out, those too that wait until the first ones are drawn.
WHOLE = (
    "document.documentElement.classList.remove('reading'); document.body.offsetHeight;"
    "return performance.now()"
)
SORT = (
    "const before = performance.now();"
    "document.querySelector('th[data-key=clean] .sorter').click(); document.body.offsetHeight;"
    "return performance.now() - before"
)


# Limits for a leaderboard of a thousand entries, on a machine of two processors.
MOST_SECONDS_TO_WRITE = 20.0
MOST_MEGABYTES = 5.0
MOST_SECONDS_UNTIL_INTERACTIVE = 2.0


def made_leaderboard(n_entries: int, n_tasks: int, n_settings: int) -> Leaderboard:
    """Return a leaderboard of invented models in eleven dimensions."""
    results = [
        make_result(
            f"model-{index}",
            strength=0.3 + 0.4 * index / n_entries,
            tasks=[f"task-{number}" for number in range(n_tasks)],
            settings=("rule", "score", "gradient")[:n_settings],
            model=ModelInfo(name=f"model-{index}", organisation="organisation", revision="1.0"),
        )
        for index in range(n_entries)
    ]
    return with_tags(board_of_results(results))


def main() -> None:
    """Print the figures and exit with 1 if one is above its limit."""
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
        comment = "not measured" if figure is None else "TOO MUCH" if figure > limit else "fine"
        print(f"{name}: {'–' if figure is None else format(figure, '.2f')}, at most {limit:g}: {comment}")
    if any(figure is None or figure > limit for figure, limit in limits.values()):
        sys.exit(1)


def seconds_until_interactive(page: Path) -> float | None:
    """Open the first page five times, print how soon it can be used, and return the median."""
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
