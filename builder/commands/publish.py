"""The command that puts releases and sites on the Hub."""

import contextlib
import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

import click

from contract.machine.json_option import as_json_option
from contract.machine.terminal import echo, echo_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from builder.release.publishing.repository import LocalFile
    from contract.machine.progress import Progress


@click.command()
@click.argument("release", metavar="[DIR]", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--repo", metavar="ORG/NAME", help="The data set on the Hub; made if it is not there.")
@click.option("--site", type=click.Path(path_type=Path, file_okay=False), help="A leaderboard's site.")
@click.option("--space", metavar="ORG/NAME", help="The static Space that shows the site.")
@click.option("--private", "is_private", is_flag=True, help="Make the repository private.")
@click.option(
    "--gated", type=click.Choice(["auto", "manual"]), help="Readers must ask; granted at once or by you."
)
@click.option(
    "--cards",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder with a card TASK.yaml for each task of yours.",
)
@click.option(
    "--withhold-labels",
    "private",
    metavar="PRIVATE_DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Publish without labels what outsiders cannot guess them from; labels, salt and the public form are"
    " kept in this folder.",
)
@click.option(
    "--accept-public-source",
    "accepts_public_source",
    is_flag=True,
    help="Withhold labels although those of a task are public at its source.",
)
@click.option(
    "--correct-documents",
    "corrects_documents",
    is_flag=True,
    help="Where the version is there already, bring card, datasheet and other documents on the main branch"
    " to what they are here; data and tag stay.",
)
@click.option(
    "--dry-run", "is_dry_run", is_flag=True, help="Verify and list what would be uploaded; upload nothing."
)
@as_json_option
def publish(
    release: Path | None,
    repo: str | None,
    site: Path | None,
    space: str | None,
    *,
    cards: Path | None,
    private: Path | None,
    accepts_public_source: bool,
    corrects_documents: bool,
    is_private: bool,
    gated: Literal["auto", "manual"] | None,
    is_dry_run: bool,
    as_json: bool,
) -> None:
    """Put the release DIR on the Hub as a version that never changes, or a site on a Space.

    The release is verified, sent in one commit and tagged with its version. Interrupted, the same command
    goes on; where the version is there already, it is compared. The token comes from `hf auth login` or
    HF_TOKEN.
    """
    from contract.machine.progress import Bars

    is_release, is_site = (release, repo) != (None, None), (site, space) != (None, None)
    if is_release == is_site or (release is None) != (repo is None) or (site is None) != (space is None):
        raise click.UsageError("give DIR and --repo ORG/NAME, or --site DIR and --space ORG/NAME")
    with Bars() as progress:
        if release is not None and repo is not None:
            with contextlib.ExitStack() as stack:
                if private is not None:
                    # Tried out, nothing secret is written, not even for a while.
                    place = Path(stack.enter_context(TemporaryDirectory())) if is_dry_run else private
                    release = _withheld(
                        release,
                        place,
                        progress,
                        accepts_public_source=accepts_public_source,
                        is_dry_run=is_dry_run,
                    )
                _publish_release(
                    release,
                    repo,
                    cards,
                    progress,
                    is_private=is_private,
                    gated=gated,
                    corrects_documents=corrects_documents,
                    is_dry_run=is_dry_run,
                    as_json=as_json,
                )
        elif site is not None and space is not None:
            _publish_site(
                site, space, progress, is_private=is_private, is_dry_run=is_dry_run, as_json=as_json
            )


def _withheld(
    release: Path, place: Path, progress: "Progress", *, accepts_public_source: bool, is_dry_run: bool
) -> Path:
    """Return the folder of the release's public form, whose labels only the private folder has."""
    from builder.release.publishing.publish import check_release
    from builder.release.publishing.withhold import check_withholding, decide, withhold
    from contract.release.release import Release

    opened = Release.open(release)
    check_release(opened, progress)
    if is_dry_run:
        check_withholding(opened, accepts_public_source=accepts_public_source)
        public = decide(opened).write(place / "release")
    else:
        public = withhold(opened, place, accepts_public_source=accepts_public_source)
        echo(f"{place}: keep this folder; it has the labels and the salt that proves them", err=True)
    for cell in public.manifest.left_out:
        echo(f"{cell}: left out, since its cases would tell their labels", err=True)
    return public.path


def _publish_release(
    path: Path,
    repo: str,
    cards: Path | None,
    progress: "Progress",
    *,
    is_private: bool,
    gated: Literal["auto", "manual"] | None,
    corrects_documents: bool,
    is_dry_run: bool,
    as_json: bool,
) -> None:
    from builder.release.documents import documents_to_publish
    from builder.release.publishing.publish import Audience, check_release, files_to_publish
    from builder.release.publishing.publish import publish as publish_release
    from contract.release.release import Release
    from contract.schema.names import tag_of
    from contract.transport.hub import check_repo_id

    check_repo_id(repo)
    opened = Release.open(path)
    # Checked first: the documents are written from the rows.
    check_release(opened, progress)
    files = files_to_publish(opened, documents_to_publish(opened, repo, cards))
    if is_dry_run:
        _list(files, f"{repo}@{tag_of(opened.manifest.version)}", as_json=as_json)
        return
    audience = Audience(is_private=is_private, gated=gated)
    published = publish_release(
        opened, files, repo, audience, progress, corrects_documents=corrects_documents
    )
    if as_json:
        echo_data(json.dumps(asdict(published)))
        return
    place = f"{published.repo}@{published.tag}"
    if published.is_new:
        echo(f"{place}: published, {published.n_files} files: {published.url}")
    else:
        echo(f"{place}: already there, every split has the same hash: {published.url}")
    names = ", ".join(published.other_documents)
    if published.corrected is not None:
        echo(f"{repo}: documents corrected on main; {place} keeps its data and its tag")
    elif published.other_documents and not corrects_documents:
        echo(f"{place}: worded differently there, and left as they are: {names}", err=True)
        echo("--correct-documents brings them on main to what they are here", err=True)


def _publish_site(
    path: Path, space: str, progress: "Progress", *, is_private: bool, is_dry_run: bool, as_json: bool
) -> None:
    from builder.release.publishing.space import publish_site, site_files
    from contract.transport.hub import check_repo_id

    check_repo_id(space)
    if is_dry_run:
        _list(site_files(path, space.partition("/")[2]), space, as_json=as_json)
        return
    published = publish_site(path, space, progress, is_private=is_private)
    if as_json:
        echo_data(json.dumps(asdict(published)))
        return
    state = f"published, {published.n_files} files" if published.is_new else "already as it is here"
    echo(f"{space}: {state}: {published.url}")


def _list(files: "Sequence[LocalFile]", place: str, *, as_json: bool) -> None:
    """Print what would be uploaded, and where."""
    if as_json:
        listed = [{"path": file.name, "bytes": file.size} for file in files]
        echo_data(json.dumps({"to": place, "files": listed}))
        return
    for file in files:
        echo(f"{file.size:>12,}  {file.name}")
    echo(f"{len(files)} files, {sum(file.size for file in files):,} bytes, would go to {place}", err=True)


@click.command()
@click.argument("private", metavar="PRIVATE_DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--repo", required=True, metavar="ORG/NAME", help="The data set whose labels were withheld.")
@as_json_option
def reveal(private: Path, repo: str, *, as_json: bool) -> None:
    """Publish the labels that PRIVATE_DIR has kept, with the salt that proves they are the ones promised.

    They are checked against the published manifest first. The version's own tag stays as it is; labels are
    under the tag vVERSION-labels.
    """
    from builder.release.leaking.published import PUBLIC
    from builder.release.publishing.reveal import reveal as reveal_labels
    from contract.machine.progress import Bars
    from contract.release.release import Release

    version = Release.open(private / PUBLIC).manifest.version
    with Bars() as progress:
        revealed = reveal_labels(private, repo, version, progress)
    if as_json:
        echo_data(json.dumps(asdict(revealed)))
    else:
        state = "labels published and as promised" if revealed.is_new else "labels are there already"
        echo(f"{revealed.repo}@{revealed.tag}: {state}")
