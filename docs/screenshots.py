"""Takes the pictures of the README from the demo's site in Chromium.

Run after `make demo`: make screenshots, or python -m docs.screenshots SITE_DIR
"""

import sys
from dataclasses import dataclass
from pathlib import Path

# The folder of tests is not a package; it has the browser.
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "leaderboard"))

from browser import HOW_TO_INSTALL, IS_INSTALLED, Browser, browsing

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
# Models of the demo that readers may know.
SHOWN, COMPARED = "vader", ("vader", "textblob", "minilm")


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A page, as a window of some size shows it."""

    name: str
    page: str
    fragment: str = ""
    width: int = 1280
    height: int = 800
    is_dark: bool = False


def pictures_of(site: Path) -> list[Picture]:
    """Return the pictures to take: what a visitor sees first, then one page of each kind."""
    pages = {name: _model_page(site, name) for name in COMPARED}
    models = ",".join(Path(page).stem for page in pages.values())
    return [
        Picture(name="leaderboard", page="index.html", height=760),
        Picture(name="model", page=pages[SHOWN]),
        Picture(name="compare", page="compare.html", fragment=f"#models={models}", height=1000),
        Picture(name="phone", page="index.html", width=390, height=844, is_dark=True),
    ]


def take(browser: Browser, site: Path, picture: Picture) -> bytes:
    """Return a picture as PNG; phones have twice the pixels."""
    scheme = "dark" if picture.is_dark else "light"
    is_phone = picture.width < 600
    browser.emulate(
        "Emulation.setDeviceMetricsOverride",
        width=picture.width,
        height=picture.height,
        deviceScaleFactor=2 if is_phone else 1,
        mobile=is_phone,
    )
    browser.emulate("Emulation.setScrollbarsHidden", hidden=True)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.emulate("Emulation.setEmulatedMedia", features=features)
    browser.open(site / picture.page, picture.fragment)
    if picture.fragment:
        browser.wait("!document.getElementById('comparison').hidden")
    return browser.driver.get_screenshot_as_png()


def main() -> None:
    """Write docs/images/*.png."""
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "demo" / "site"
    if not IS_INSTALLED:
        sys.exit(f"no Chromium with its driver; install them: {HOW_TO_INSTALL}")
    if not (site / "index.html").is_file():
        sys.exit(f"there is no {site}; run `make demo` first")
    IMAGES.mkdir(exist_ok=True)
    with browsing() as browser:
        for picture in pictures_of(site):
            target = IMAGES / f"{picture.name}.png"
            target.write_bytes(take(browser, site.resolve(), picture))
            print(target.relative_to(ROOT))


def _model_page(site: Path, name: str) -> str:
    pages = sorted((site / "models").glob(f"*{name}*.html"))
    if not pages:
        sys.exit(f"{site}: has no model called {name}; is it the demo's site?")
    return pages[0].relative_to(site).as_posix()


if __name__ == "__main__":
    main()
