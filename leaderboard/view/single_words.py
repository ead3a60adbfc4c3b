"""What the page of single words shows: figures as texts, and the histogram of κ as bars."""

from dataclasses import dataclass

from contract.schema.single_words import (
    SingleWordAttack,
    SingleWordReport,
    SingleWordRobustness,
    WordEffect,
)

WIDTH, HEIGHT, LEFT, BOTTOM = 640, 220, 50, 30
N_WORDS = 30


@dataclass(frozen=True, kw_only=True)
class RhoTile:
    """ρ of one set of rows."""

    name: str
    rho: str
    interval: str
    lower_bound: str
    rows: str
    accuracy: str
    is_partial: bool


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A bar of the histogram."""

    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, kw_only=True)
class SingleWordView:
    """All that the page shows."""

    tiles: tuple[RhoTile, ...]
    bars: tuple[Bar, ...]
    words: tuple[tuple[str, str, str, str], ...]
    effects: tuple[tuple[str, ...], ...]
    parts: tuple[tuple[str, str], ...]
    attack: str


def single_word_view(report: SingleWordReport) -> SingleWordView:
    """Return the texts and bars of a report."""
    tiles = [
        _tile(name, own)
        for name, own in (("ρ, training rows", report.train), ("ρ*, other rows", report.test))
        if own is not None
    ]
    return SingleWordView(
        tiles=tuple(tiles),
        bars=_bars(report),
        words=tuple(
            (word.word, f"{word.kappa:.3f}", f"{word.low:.3f} to {word.high:.3f}", word.part_of_speech)
            for word in report.words[:N_WORDS]
        ),
        effects=tuple(map(_effect, report.effects)),
        parts=tuple((name, f"{n:,}") for name, n in report.parts_of_speech.items()),
        attack="" if report.attack is None else _attack(report.attack),
    )


def _attack(attack: SingleWordAttack) -> str:
    reasons = ", ".join(f"{n:,} {name}" for name, n in attack.n_refused.items()) or "none"
    return (
        f"With the strongest words, one exchange flips {attack.n_flipped:,} of {attack.n_attacked:,} texts;"
        f" {attack.n_similar:,} of these have a cosine with the original above 0.8. Of"
        f" {attack.n_candidates:,} exchanges the label guard refused: {reasons}. The file attacks.jsonl has"
        " the best one of each text."
    )


def _tile(name: str, own: SingleWordRobustness) -> RhoTile:
    rows = f"{own.n_samples:,} texts that the model has right, {own.n_words:,} words"
    return RhoTile(
        name=name,
        rho=f"{own.rho:.3f}",
        interval=f"{own.low:.3f} to {own.high:.3f}",
        lower_bound=f"{own.lower_bound:.3f}",
        rows=f"{rows}; {own.n_questions:,} questions; {own.data}",
        accuracy=f"{own.accuracy:.3f}",
        is_partial=own.n_rows < own.n_planned,
    )


def _bars(report: SingleWordReport) -> tuple[Bar, ...]:
    most = max(report.histogram, default=0)
    if not most:
        return ()
    width = (WIDTH - LEFT) / len(report.histogram)
    share = 1 / len(report.histogram)
    return tuple(
        Bar(
            x=round(LEFT + place * width, 1),
            y=round((HEIGHT - BOTTOM) * (1 - n / most), 1),
            width=round(width - 1, 1),
            height=round((HEIGHT - BOTTOM) * n / most, 1),
            title=f"κ from {place * share:.2f} to {(place + 1) * share:.2f}: {n:,} words",
        )
        for place, n in enumerate(report.histogram)
    )


def _effect(effect: WordEffect) -> tuple[str, ...]:
    return (
        effect.word,
        f"{effect.n_with:,}",
        _share(effect.accuracy_with),
        _share(effect.accuracy_removed),
        f"{effect.n_without:,}",
        _share(effect.accuracy_without),
        _share(effect.accuracy_attacked),
    )


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.3f}"
