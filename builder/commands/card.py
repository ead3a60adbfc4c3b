"""The command `card`: cards of a release's tasks, to be filled in."""

from pathlib import Path

import click

from contract.machine.errors import ExitCode, UserError
from contract.machine.json_option import as_json_option, echo_json
from contract.machine.terminal import echo


@click.command()
@click.argument("release", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the cards, TASK.yaml each.",
)
@click.option("--replace", is_flag=True, help="Write over cards that are there.")
@as_json_option
def card(release: Path, *, output: Path, replace: bool, as_json: bool) -> None:
    """Write a card to fill in for each task of the release DIR that no shipped card describes.

    The documents of a release say of its data what its card says, and nothing else. `hardfrost publish` takes
    the folder with --cards, and names what is still to be filled in.
    """
    from builder.recipe.starting import card_text
    from builder.release.documents.task_cards import cards_of
    from contract.machine.whole_files import write_text
    from contract.release.release import Release

    manifest = Release.open(release).manifest
    shipped = cards_of(manifest)
    texts = {
        output / f"{task.name}.yaml": card_text(task.labels)
        for task in manifest.tasks
        if task.name not in shipped
    }
    there = [path for path in texts if path.exists()]
    if there and not replace:
        raise UserError(
            f"{there[0]}: is there already; give --replace to write over it, or another -o",
            exit_code=ExitCode.WRONG_USE,
        )
    for path, text in texts.items():
        write_text(path, text)
    if as_json:
        echo_json({"cards": [str(path) for path in texts], "shipped": sorted(shipped)})
        return
    for path in texts:
        echo(f"{path}: to fill in before you publish")
    for name in shipped:
        echo(f"{name}: a card is shipped for its source", err=True)
