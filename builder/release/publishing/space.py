"""Publishes a leaderboard's site as a static Space."""

from dataclasses import dataclass
from pathlib import Path

import yaml

from builder.release.publishing.repository import MAIN, LocalFile, Repository
from contract.machine.errors import bad_input
from contract.machine.progress import Progress
from contract.schema.names import SITE_MARKER
from contract.transport.hub import check_repo_id, connect

# Made by the Hub itself, and none of ours.
KEPT = frozenset({".gitattributes"})
FIRST_PAGE = "index.html"


@dataclass(frozen=True, kw_only=True)
class PublishedSite:
    """The result of publishing a site."""

    space: str
    commit: str
    n_files: int
    is_new: bool
    url: str


def site_files(site: Path, title: str) -> list[LocalFile]:
    """Return the files of a site and the card that makes them a Space."""
    if not (site / SITE_MARKER).is_file() or not (site / FIRST_PAGE).is_file():
        raise bad_input(f"{site}: not a site; give a folder that `hardfrost site` wrote")
    card = {"title": title, "sdk": "static", "app_file": FIRST_PAGE, "pinned": False}
    front_matter = yaml.safe_dump(card, sort_keys=False)
    text = f"---\n{front_matter}---\n\nA leaderboard of Hardfrost; the pages need no server.\n"
    paths = sorted(path for path in site.rglob("*") if path.is_file() and path.name != SITE_MARKER)
    pages = [LocalFile(name=path.relative_to(site).as_posix(), content=path) for path in paths]
    return [LocalFile(name="README.md", content=text.encode()), *pages]


def publish_site(site: Path, space_id: str, progress: Progress, *, is_private: bool) -> PublishedSite:
    """Bring a Space to what the site is now, in one commit."""
    check_repo_id(space_id)
    files = site_files(site, space_id.partition("/")[2])
    space = Repository(api=connect(), name=space_id, kind="space")
    space.ensure(is_private=is_private, gated=None)
    head = space.references().branches[MAIN]
    there = space.files(head)
    outdated = sorted(set(there) - {file.name for file in files} - KEPT)
    changed = set(space.differing(files, head))
    todo = [file for file in files if file.name in changed]
    progress.stage("upload", len(todo))
    commit = head
    if todo or outdated:
        message = "The leaderboard as it is now"
        commit = space.commit(todo, outdated, message, branch=MAIN, parent=head, progress=progress)
    return PublishedSite(
        space=space_id, commit=commit, n_files=len(files), is_new=commit != head, url=space.url
    )
