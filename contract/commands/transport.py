"""Commands that move releases: download and pack."""

import json
from pathlib import Path

import click

from contract.machine.errors import bad_input
from contract.machine.json_option import as_json_option
from contract.machine.terminal import echo, echo_data


@click.command()
@click.argument("place", metavar="NAME|ORG/NAME[@VERSION]|ARCHIVE")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Folder for the release; a short NAME needs none, its folder is called like it.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="TASK,DIMENSION,SETTING,TIER",
    help="Fetch only these splits, and the clean rows of their tasks; parts may be empty; repeatable.",
)
@click.option("--offline", "is_offline", is_flag=True, help="Use files of earlier downloads; no network.")
@click.option("--sha256", metavar="HASH", help="Refuse an archive that is not this one.")
@click.option(
    "--list",
    "list_place",
    metavar="FILE|URL",
    help="The list of short names, instead of the one that ships or that HARDFROST_RELEASES names.",
)
@as_json_option
def download(
    place: str,
    output: Path | None,
    only: tuple[str, ...],
    *,
    is_offline: bool,
    sha256: str | None,
    list_place: str | None,
    as_json: bool,
) -> None:
    """Fetch a release by its short name, from the Hub, or from an archive of `hardfrost pack` (path or URL).

    `hardfrost list releases` shows the short names; `demo` needs no network. Every file is checked against
    the manifest's hashes; the folder appears whole or not at all. Without a version the latest is fetched.
    Private and gated data sets need a token: `hf auth login` or HF_TOKEN.
    """
    from contract.machine.progress import Bars
    from contract.release.checksums import CHECKSUMS, has_checksums
    from contract.release.split_selector import SplitSelector, chosen_splits
    from contract.transport.archives import is_archive, unpack
    from contract.transport.downloading import download as download_release
    from contract.transport.named_releases import find_release, is_short_name
    from contract.transport.packed_results import RESULT_NAME, RESULTS

    selectors = [SplitSelector.parse(text) for text in only]
    is_file = is_archive(place) or Path(place).is_file()
    is_named = not is_file and is_short_name(place)
    output = output or (Path(place.partition("@")[0]) if is_named else None)
    if output is None:
        raise click.UsageError("say where the release goes: -o FOLDER")
    with Bars() as progress:
        if is_named:
            found = find_release(place, progress, list_place=list_place, is_offline=is_offline)
            sha256 = sha256 or found.entry.sha256
            manifest = unpack(found.place, output, selectors, progress, sha256=sha256, is_offline=is_offline)
        elif is_file:
            manifest = unpack(place, output, selectors, progress, sha256=sha256, is_offline=is_offline)
        else:
            if sha256 is not None:
                raise bad_input("--sha256 is for archives; a version on the Hub is checked by its manifest")
            repo, _, version = place.partition("@")
            manifest = download_release(
                repo, version or None, output, selectors, progress, is_offline=is_offline
            )
    n_splits = len(chosen_splits(manifest, selectors))
    n_results = len(list((output / RESULTS).glob(f"*/*/{RESULT_NAME}")))
    if as_json:
        done = {"path": str(output), "name": manifest.name, "version": manifest.version, "splits": n_splits}
        echo_data(json.dumps({**done, "results": n_results}))
    else:
        echo(f"{output}: {manifest.name} {manifest.version}, {n_splits} splits, every hash as frozen")
        if n_results:
            echo(f"{output / RESULTS}: results of {n_results} models on it")
        if not has_checksums(output):
            echo(f"{output}: the documents are not covered, since it has no {CHECKSUMS}", err=True)


@click.command()
@click.argument("release", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Archive, .tar.gz.")
@click.option(
    "--results",
    "results_dir",
    type=click.Path(path_type=Path, file_okay=False),
    help="Pack the results in this folder, too; `download` puts them into the folder results of the release.",
)
@as_json_option
def pack(release: Path, output: Path | None, *, results_dir: Path | None, as_json: bool) -> None:
    """Pack a release into one archive, with its sha256 beside it; the same release gives the same bytes."""
    from contract.machine.progress import Bars
    from contract.release.release import Release
    from contract.transport.archives import SUFFIX
    from contract.transport.archives import pack as pack_release

    opened = Release.open(release)
    path = output or Path(f"{opened.manifest.name}-{opened.manifest.version}{SUFFIX}")
    if not path.name.endswith(SUFFIX):
        raise bad_input(f"{path}: an archive is called something{SUFFIX}")
    with Bars() as progress:
        packed = pack_release(opened, path, progress, results_dir=results_dir)
    if as_json:
        echo_data(json.dumps({"path": str(path), "sha256": packed.sha256, "files": packed.n_files}))
    else:
        echo(f"{packed.sha256}  {path}")
