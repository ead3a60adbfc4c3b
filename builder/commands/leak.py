"""The command `leak`: what outsiders guess of labels that are, or would be, withheld."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.errors import ExitCode
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo

if TYPE_CHECKING:
    from builder.release.leaking.report import Attacked

FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.argument("release", metavar="DIR", type=FOLDER)
@click.option(
    "--labels",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The labels of a release that withholds them; without it, those in DIR or beside it.",
)
@click.option(
    "--original",
    type=FOLDER,
    help="The release as it was built: its training rows are what an outsider may know.",
)
@click.option(
    "--bound",
    type=click.FloatRange(0, 1),
    default=0.05,
    help="By how much more than from clean texts an outsider may guess.",
)
@as_json_option
def leak(release: Path, *, labels: Path | None, original: Path | None, bound: float, as_json: bool) -> None:
    """Attack the labels of DIR as an outsider would who is not told them; exit 1 if they leak.

    DIR is a release without labels (or the owner's folder of one), or one with labels, which is then treated
    as if it were published whole without them. Outsiders are small models of words, characters and a lexicon
    that know other labelled texts. They guess from the direction in which cases move them, from numbers and
    sizes, from ids and from the order of rows; each is compared with itself on clean texts alone.
    """
    from builder.release.leaking.published import open_published, published_tasks
    from builder.release.leaking.report import attack_labels, attack_row_numbers, is_too_small
    from contract.release.release import Release

    opened = open_published(release, labels)
    built = opened.release if opened.labels is None else None
    known = Release.open(original) if original is not None else built
    tasks = published_tasks(opened, original=known)
    attacks = attack_labels(tasks, bound=bound)
    if known is not None:
        attacks += attack_row_numbers(known, bound=bound)
    not_tried = [task.info.name for task in tasks if is_too_small(task)]
    if as_json:
        echo_json({"bound": bound, "attacks": [asdict(attack) for attack in attacks], "not_tried": not_tried})
    else:
        echo("\n".join(_lines(attacks, not_tried, bound)))
    if any(attack.is_above for attack in attacks):
        sys.exit(ExitCode.FAILURE)


def _lines(attacks: "Sequence[Attacked]", not_tried: Sequence[str], bound: float) -> Iterator[str]:
    for task in dict.fromkeys(attack.task for attack in attacks):
        yield f"{task}: per cent of labels guessed right, with an attack and without it"
        yield " with  without   gain  95 % interval    of  by the direction of cases, and others"
        for attack in attacks:
            if attack.task == task:
                low, high = attack.gain_ci
                mark = "  TELLS" if attack.is_above else ""
                yield (
                    f"{100 * attack.accuracy:5.1f}  {100 * attack.without:7.1f}  {100 * attack.gain:+5.1f}"
                    f"  {100 * low:+5.1f} to {100 * high:+5.1f}  {attack.n_samples:>4}  {attack.way}{mark}"
                )
    yield from (f"{task}: too few samples of some label for any guess to be judged" for task in not_tried)
    above = [attack for attack in attacks if attack.is_above]
    if above:
        worst = max(above, key=lambda attack: attack.gain)
        yield f"Labels leak: {worst.accuracy:.1%} of them by {worst.way}, {worst.without:.1%} without."
    elif attacks:
        yield f"No attack guesses by more than {bound:.0%} and luck better than the outsider without it."
