"""Builds `recipes/seven.yaml` from local copies of its data sets.

Run it as `python -m benchmarks.seven --data FOLDER -o DIR`; other options go to `hardfrost build`, such as
`--plan` or `--workers 2`. `benchmarks/local_files.py` says which files are expected in FOLDER.
"""

from pathlib import Path

import click

from benchmarks.local_files import LOCAL_FILES, build_options
from builder.commands.build import build
from builder.recipe.recipe_file import find_recipe, read_recipe
from contract.machine.errors import UserError

RECIPE = "seven"


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--data", required=True, type=click.Path(path_type=Path, file_okay=False), help="All files.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def main(data: Path, options: tuple[str, ...]) -> None:
    """Build the seven tasks from the files in the folder of --data; OPTIONS go to `hardfrost build`."""
    tasks = [task.name for task in read_recipe(find_recipe(RECIPE)).tasks]
    given = build_options(data.resolve(), tasks)
    missing = [
        f"{data / name}: there is no such file"
        for task in tasks
        for name in LOCAL_FILES[task].sources
        if not (data / name).is_file()
    ]
    if missing:
        raise SystemExit("\n".join(missing))
    try:
        build.main([RECIPE, *given, *options], standalone_mode=False)
    except UserError as error:
        raise SystemExit(error.message) from None


if __name__ == "__main__":
    main()
