"""What a release says of itself: its data card as a page, and the recipe that makes it again."""

import re
from pathlib import Path

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from contract.schema.manifest import Manifest
from leaderboard.text.untrusted_text import visible, web_link

CARD_NAME = "README.md"
MOST_BYTES = 2_000_000

# What the Hub reads and people need not.
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def card_html(release_path: Path) -> Markup | None:
    """Return the data card of a release, or nothing where there is none that a page can hold.

    Cards may come from strangers: raw HTML stays text, and links lead to plain web addresses or nowhere.
    """
    path = release_path / CARD_NAME
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return None
    text = _FRONT_MATTER.sub("", path.read_text(encoding="utf-8", errors="replace"))
    return markdown_html(
        "\n".join(visible(line, MOST_BYTES) if line.strip() else "" for line in text.splitlines())
    )


def markdown_html(text: str) -> Markup:
    """Return Markdown as HTML that fits into a page below its own heading."""
    # Pictures would be asked for from elsewhere.
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    markdown.validateLink = lambda url: web_link(url) is not None  # type: ignore[method-assign]
    tokens = markdown.parse(text)
    for token in tokens:
        _adapt(token)
    html = str(markdown.renderer.render(tokens, markdown.options, {}))
    # In text these would be escaped, so they can only be ours; what scrolls must be reached by keyboard.
    html = html.replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table class="degrees">')
    return Markup(html.replace("</table>", "</table></div>"))  # noqa: S704


def recipe_yaml(manifest: Manifest) -> str | None:
    """Return the resolved recipe as a file that `hardfrost build` takes; imported releases have none.

    That of a release with withheld labels is not spread further: whoever has its source could build them.
    """
    if not manifest.recipe or manifest.imported_from is not None or manifest.labels == "withheld":
        return None
    return yaml.safe_dump(manifest.recipe, sort_keys=False, allow_unicode=True)


def _adapt(token: Token) -> None:
    """Put a heading one lower, say by a class what would be a style, and mark links that lead out."""
    if token.type in {"heading_open", "heading_close"}:
        token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
    if token.attrs.pop("style", "") == "text-align:right":
        token.attrSet("class", "num")
    if token.type == "link_open":
        token.attrSet("rel", "noopener noreferrer nofollow")
    for child in token.children or ():
        _adapt(child)
