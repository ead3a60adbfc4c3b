"""Takes the pictures of the README from the demo's site, with the machine's own Chromium.

Run after `make demo`: make screenshots
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SITE = ROOT / "demo" / "site"
# Name: page, width, height.
PICTURES = {"leaderboard": ("index.html", 1280, 760)}
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--hide-scrollbars",
]


def main() -> None:
    """Write docs/images/*.png."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("no Chromium found; install it (Debian: apt-get install chromium)")
    if not SITE.is_dir():
        sys.exit("there is no demo/site; run `make demo` first")
    for name, (page, width, height) in PICTURES.items():
        target = ROOT / "docs" / "images" / f"{name}.png"
        target.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as profile:
            subprocess.run(
                [
                    chromium,
                    *FLAGS,
                    f"--user-data-dir={profile}",
                    f"--window-size={width},{height}",
                    f"--screenshot={target}",
                    (SITE / page).as_uri(),
                ],
                check=True,
                capture_output=True,
            )
        print(target.relative_to(ROOT))


if __name__ == "__main__":
    main()
