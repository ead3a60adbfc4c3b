"""What `singleword` prints: ρ with its interval, the strongest words and what they do."""

from collections.abc import Iterator

from contract.schema.single_words import (
    SingleWordAttack,
    SingleWordReport,
    SingleWordRobustness,
    WordEffect,
)

N_SHOWN = 10
# As wide as an old terminal.
WIDTH = 80


def table_lines(report: SingleWordReport) -> Iterator[str]:
    """Yield the lines, none wider than 80 columns."""
    yield f"{report.model[: WIDTH - 22]}: one word exchanged"
    yield from _wrapped(f"{report.meaning}; {report.n_words:,} words.")
    yield ""
    yield f"{'':22}{'robustness':>12}{'95 %':>16}{'at least':>10}{'rows':>7}{'questions':>13}"
    if report.train is not None:
        yield _rho("ρ   training rows", report.train)
    if report.test is not None:
        yield _rho("ρ*  other rows", report.test)
    for own in (report.train, report.test):
        if own is not None and own.n_rows < own.n_planned:
            yield from _wrapped(
                f"The time budget ended the search in {own.data} after {own.n_rows} of {own.n_planned} rows."
            )
    yield ""
    yield f"{'strongest words':<20}{'κ':>7}{'95 %':>15}   part of speech"
    for word in report.words[:N_SHOWN]:
        interval = f"{word.low:.3f}–{word.high:.3f}"
        yield f"{_cut(word.word):<20}{word.kappa:>7.3f}{interval:>15}   {word.part_of_speech}"
    if report.effects:
        yield ""
        yield f"{'accuracy':<20}{'with word':>12}{'removed':>12}{'without':>12}{'put in':>12}"
        for effect in report.effects:
            yield _effect(effect)
    if report.attack is not None:
        yield ""
        yield from _wrapped(_attack(report.attack, report.test))
    if report.parts_of_speech:
        counted = ", ".join(f"{n} {name}" for name, n in report.parts_of_speech.items())
        yield ""
        yield from _wrapped(f"Parts of speech of the strongest words: {counted}.")


def _attack(attack: SingleWordAttack, test: SingleWordRobustness | None) -> str:
    n_refused = sum(attack.n_refused.values())
    share = n_refused / attack.n_candidates if attack.n_candidates else 0.0
    is_cut = test is not None and attack.n_attacked < test.n_samples
    return (
        f"SP-Attack flips {attack.n_flipped} of {attack.n_attacked} texts, {attack.n_similar} of them with a"
        f" cosine above 0.8, by {attack.n_questions:,} questions; the label guard refused"
        f" {n_refused:,} of {attack.n_candidates:,} exchanges ({share:.0%})."
        + (" The time budget ended it before all texts were attacked." if is_cut else "")
    )


def _rho(name: str, own: SingleWordRobustness) -> str:
    interval = f"{own.low:.3f}–{own.high:.3f}"
    return (
        f"{name:<22}{own.rho:>12.3f}{interval:>16}{own.lower_bound:>10.3f}{own.n_samples:>7}"
        f"{own.n_questions:>13,}"
    )


def _effect(effect: WordEffect) -> str:
    shares = (
        effect.accuracy_with,
        effect.accuracy_removed,
        effect.accuracy_without,
        effect.accuracy_attacked,
    )
    return f"{_cut(effect.word):<20}" + "".join(f"{_share(share):>12}" for share in shares)


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.3f}"


def _cut(word: str) -> str:
    return word if len(word) < 20 else f"{word[:18]}…"


def _wrapped(text: str) -> Iterator[str]:
    import textwrap

    yield from textwrap.wrap(text[0].upper() + text[1:], WIDTH)
