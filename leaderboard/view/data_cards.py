"""The data card of a release as HTML, and its recipe as YAML."""

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
# Without the block at the top; a page of nothing but brackets takes 22 microseconds a character.
MOST_CHARACTERS = 300_000

# The block of YAML at the top, which only the Hub reads.
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def card_html(release_path: Path) -> Markup | None:
    """Return the data card of a release, or None if it has none or one that is too large for a page.

    Cards are untrusted: raw HTML is shown as text, and only links to plain web addresses are kept.
    """
    path = release_path / CARD_NAME
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return None
    text = _FRONT_MATTER.sub("", path.read_text(encoding="utf-8", errors="replace"))
    if len(text) > MOST_CHARACTERS:
        return None
    return markdown_html(
        "\n".join(visible(line, MOST_BYTES) if line.strip() else "" for line in text.splitlines())
    )


def markdown_html(text: str) -> Markup:
    """Return Markdown as HTML, its headings one level below that of the page."""
    # Images would be loaded from other servers.
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    markdown.validateLink = lambda url: web_link(url) is not None  # type: ignore[method-assign]
    tokens = markdown.parse(text)
    for token in tokens:
        _adapt(token)
    html = str(markdown.renderer.render(tokens, markdown.options, {}))
    # In the text these tags are escaped, so only the renderer wrote them. What scrolls must take the focus.
    html = html.replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table class="degrees">')
    return Markup(html.replace("</table>", "</table></div>"))  # noqa: S704


def recipe_yaml(manifest: Manifest) -> str | None:
    """Return the resolved recipe as YAML for `hardfrost build`, or None for an imported release.

    Also None for withheld labels: with the recipe and the original data the labels could be built again.
    """
    if not manifest.recipe or manifest.imported_from is not None or manifest.labels == "withheld":
        return None
    return yaml.safe_dump(manifest.recipe, sort_keys=False, allow_unicode=True)


def _adapt(token: Token) -> None:
    """Lower a heading by one level, replace a style by a class, and mark links to other sites."""
    if token.type in {"heading_open", "heading_close"}:
        token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
    if token.attrs.pop("style", "") == "text-align:right":
        token.attrSet("class", "num")
    if token.type == "link_open":
        token.attrSet("rel", "noopener noreferrer nofollow")
    for child in token.children or ():
        _adapt(child)
