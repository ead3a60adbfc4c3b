"""Reads the pages of a site strictly: unbalanced or stray tags are errors."""

from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "link", "input", "br", "img", "hr", "wbr", "col"}
# Drawn elements that may close themselves.
DRAWN = {"use", "line", "path", "circle", "rect", "polyline", "polygon"}


class Page(HTMLParser):
    """The elements of a page in order, with a complaint for everything that is not well formed."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.complaints: list[str] = []
        self._open: list[str] = []
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        self.close()
        self.complaints += [f"<{tag}> is never closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element and wait for its end."""
        self.elements.append((tag, dict(attrs)))
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.complaints.append(f"<{tag}> repeats an attribute")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that closes itself."""
        self.elements.append((tag, dict(attrs)))
        if tag not in DRAWN:
            self.complaints.append(f"<{tag}/> may not close itself")

    def handle_endtag(self, tag: str) -> None:
        """Check that the innermost element is the one that ends."""
        if not self._open or self._open.pop() != tag:
            self.complaints.append(f"</{tag}> at line {self.getpos()[0]} closes nothing")

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        self.text += data

    def addresses(self) -> list[str]:
        """Return everything the page links to or loads."""
        return [
            value
            for _, attributes in self.elements
            for name in ("href", "src", "action", "srcset", "data")
            if (value := attributes.get(name)) is not None
        ]


def pages_of(site_dir: Path) -> dict[str, Page]:
    """Return every page of a site by its path."""
    return {path.relative_to(site_dir).as_posix(): Page(path) for path in sorted(site_dir.rglob("*.html"))}
