"""Writes the page of `hardfrost singleword`: ρ, the strongest words, what they do, and what they are."""

import base64
import hashlib
from pathlib import Path

from markupsafe import Markup

from contract.machine.whole_files import write_text
from contract.schema.single_words import SingleWordReport
from leaderboard.pages.rendering import ASSETS_PATH, template_engine
from leaderboard.view.single_words import single_word_view

STYLES = ("site.css", "report.css")


def write_page(figures: Path, output: Path) -> Path:
    """Write the page of a file of figures."""
    report = SingleWordReport.read(figures)
    style = "".join((ASSETS_PATH / name).read_text(encoding="utf-8") for name in STYLES)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    page = (
        template_engine()
        .get_template("singleword.html")
        .render(
            report=report,
            view=single_word_view(report),
            style=Markup(style),  # noqa: S704
            # Allows the one style sheet, by its hash, and nothing else: no script, nothing loaded.
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:;"
            " base-uri 'none'; form-action 'none'",
        )
    )
    write_text(output, page)
    return output
