"""Writes the report on adversarial training: one page with heat maps, without scripts."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from contract.machine.whole_files import write_text
from contract.schema.hardening import HardenedModel, Hardening, ranking_of
from contract.schema.names import degree_key
from leaderboard.pages.rendering import ASSETS_PATH, template_engine

STYLES = ("site.css", "report.css", "hardening.css")
# Gains are drawn in so many shades each way; the last is for this many percentage points and more.
SHADES = 5
STRONGEST = 40.0


@dataclass(frozen=True, kw_only=True)
class HeatCell:
    """A gain in percentage points, and the shade that it is drawn in."""

    text: str
    shade: str
    is_own: bool


@dataclass(frozen=True, kw_only=True)
class HeatRow:
    """A model: its name, its change when clean, and its gains, one an attack."""

    name: str
    clean: str
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, kw_only=True)
class HeatMap:
    """The models of a scheme at a degree, or over all degrees."""

    scheme: str
    degree: str
    rows: tuple[HeatRow, ...]


def write_hardening(hardening: Hardening, path: Path) -> None:
    """Write the page."""
    style = "".join((ASSETS_PATH / name).read_text(encoding="utf-8") for name in STYLES)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    page = (
        template_engine()
        .get_template("hardening.html")
        .render(
            hardening=hardening,
            ranking=[
                (ranked.name, _points(ranked.gain), _points(ranked.clean_change))
                for ranked in ranking_of(hardening)
            ],
            plain=[(attack, _percentages(hardening.plain, attack)) for attack in hardening.attacks],
            degrees=[degree_key(degree) for degree in hardening.degrees],
            maps=list(heat_maps(hardening)),
            style=Markup(style),  # noqa: S704
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none';"
            " form-action 'none'",
        )
    )
    write_text(path, page)


def heat_maps(hardening: Hardening) -> Iterator[HeatMap]:
    """Yield for each scheme the map over all degrees, then one for each degree."""
    schemes = dict.fromkeys(model.scheme for model in hardening.models if model.scheme != "none")
    places = range(len(hardening.degrees))
    for scheme in schemes:
        models = [model for model in hardening.models if model.scheme == scheme]
        for title, chosen in [
            ("mean of all degrees", list(places)),
            *((f"degree {degree_key(hardening.degrees[place])}", [place]) for place in places),
        ]:
            rows = tuple(_row(hardening, model, chosen) for model in models)
            yield HeatMap(scheme=scheme, degree=title, rows=rows)


def _row(hardening: Hardening, model: HardenedModel, places: Sequence[int]) -> HeatRow:
    return HeatRow(
        name=model.name,
        clean=_points(model.clean - hardening.plain.clean),
        cells=tuple(_cell(hardening, model, attack, places) for attack in hardening.attacks),
    )


def _cell(hardening: Hardening, model: HardenedModel, attack: str, places: Sequence[int]) -> HeatCell:
    gains = [hardening.gain(model, attack, place) for place in places] if model.is_tested_on(attack) else []
    known = [gain for gain in gains if gain is not None]
    if not known:
        return HeatCell(text="", shade="", is_own=False)
    points = 100 * sum(known) / len(known)
    shade = min(SHADES, 1 + int(SHADES * abs(points) / STRONGEST)) if abs(points) >= 0.05 else 0
    name = f"{'up' if points > 0 else 'down'}{shade}" if shade else ""
    return HeatCell(text=_points(points / 100), shade=name, is_own=attack in model.trained_on)


def _points(share: float) -> str:
    return f"{100 * share:+.1f}".replace("-", "\N{MINUS SIGN}")


def _percentages(model: HardenedModel, attack: str) -> list[str]:
    return ["–" if figure is None else f"{100 * figure:.1f}" for figure in model.accuracies[attack]]
