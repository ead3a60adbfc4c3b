"""Commands on releases: verify, info, diff."""

import json
from pathlib import Path

import click

from contract.machine.errors import ExitCode
from contract.machine.terminal import echo, echo_data

FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.argument("release", type=FOLDER)
@click.option("--json", "as_json", is_flag=True, help="Print what differs as JSON.")
def verify(release: Path, *, as_json: bool) -> None:
    """Recompute every hash and count of RELEASE; exit 4 if anything differs."""
    from contract.machine.progress import Bars
    from contract.release.checksums import CHECKSUMS, has_checksums
    from contract.release.split_selector import left_out_of
    from contract.release.verification import open_and_verify

    with Bars() as progress:
        differences = open_and_verify(release, progress)
    n_left_out = len(left_out_of(release))
    if as_json:
        found = {"release": str(release), "differences": differences, "left_out": n_left_out}
        echo_data(json.dumps({**found, "are_documents_hashed": has_checksums(release)}))
    elif differences:
        echo("\n".join(differences))
    else:
        part = f"; {n_left_out} splits were left out by the download" if n_left_out else ""
        echo(f"{release}: every hash and count is as frozen{part}")
    if not as_json and not has_checksums(release):
        echo(f"{release}: the documents are not covered, since it has no {CHECKSUMS}", err=True)
    if differences:
        raise SystemExit(ExitCode.MISMATCH)


@click.command()
@click.argument("release", type=FOLDER)
@click.option("--timings", "is_timings", is_flag=True, help="Show how long its build took, and where.")
@click.option(
    "--single-word",
    "is_single_word",
    is_flag=True,
    help="Show how often attacks succeed by one changed word.",
)
@click.option(
    "--by",
    type=click.Choice(["attack"]),
    help="Show what each stage of curation took away by attack, and how far people agreed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the manifest, or what is shown, as JSON.")
def info(release: Path, *, is_timings: bool, is_single_word: bool, by: str | None, as_json: bool) -> None:
    """Show what RELEASE contains and what became of the candidates."""
    from contract.release.release import Release
    from contract.release.summary import print_summary

    opened = Release.open(release)
    if is_timings:
        from contract.release.timings_summary import show_timings

        show_timings(release, as_json=as_json)
        return
    if is_single_word:
        from contract.release.single_word_summary import show_single_words

        rows = show_single_words(opened, as_json=as_json)
        if as_json:
            echo_data(json.dumps(rows))
        return
    if by is not None:
        from contract.release.people_summary import by_attack, print_by_attack

        if as_json:
            echo_data(json.dumps(by_attack(opened.manifest), ensure_ascii=False))
        else:
            print_by_attack(opened.manifest)
        return
    if as_json:
        echo_data(json.dumps(opened.manifest.to_json(), ensure_ascii=False))
    else:
        print_summary(opened.manifest)


@click.command()
@click.argument("left", type=FOLDER)
@click.argument("right", type=FOLDER)
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
def diff(left: Path, right: Path, *, as_json: bool) -> None:
    """Say which splits of two releases differ and by how many rows; exit 1 if some do."""
    from dataclasses import asdict

    from contract.release.comparison import compare_releases, surrogate_changes
    from contract.release.release import Release

    mine, theirs = Release.open(left), Release.open(right)
    surrogates = surrogate_changes(mine.manifest, theirs.manifest)
    differences = compare_releases(mine, theirs)
    if as_json:
        splits = [asdict(difference) for difference in differences]
        echo_data(json.dumps({"surrogates": surrogates, "splits": splits}))
    for line in [] if as_json else surrogates:
        echo(line)
    for difference in [] if as_json else differences:
        echo(
            f"{difference.path}: {difference.n_only_left} rows only in {left},"
            f" {difference.n_only_right} only in {right}, {difference.n_changed} changed"
            f" ({difference.n_other_votes} of them only in votes)"
        )
    if differences:
        raise SystemExit(ExitCode.FAILURE)
    if not as_json:
        echo("the same rows in every split")
