"""The commands that turn published benchmarks into releases: import advglue."""

import json
from pathlib import Path

import click

from contract.machine.terminal import echo, echo_data
from contract.schema.names import CLEAN


@click.group(name="import")
def import_release() -> None:
    """Turn a benchmark that others published into a release."""


@import_release.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder for the release."
)
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON.")
def advglue(file: Path, output: Path, *, as_json: bool) -> None:
    """Import AdvGLUE's dev set from FILE, its published JSON, plain or annotated.

    The release takes predictions by id, or AdvGLUE's own submissions: a .json file with an object that
    gives each task's labels in the order of FILE. Either way `hardfrost score` adds AdvGLUE's average.
    """
    from builder.release.importing.advglue import import_advglue

    manifest = import_advglue(file, output)
    if as_json:
        echo_data(json.dumps(manifest.to_json(), ensure_ascii=False))
        return
    n_cases = sum(split.rows for split in manifest.splits if split.is_adversarial)
    n_clean = sum(split.rows for split in manifest.splits if split.dimension == CLEAN)
    originals = (
        f"{n_clean:,} originals" if n_clean else "no originals, so nothing will be said of clean texts"
    )
    echo(f"{output}: {manifest.name} {manifest.version}, {n_cases:,} cases, {originals}")
