"""Several versions of a benchmark on one site: the first at its root, the others in folders of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.release.release import Release
from contract.schema.leaderboards import Leaderboard
from leaderboard.text.untrusted_text import page_name, visible


@dataclass(frozen=True, kw_only=True)
class Board:
    """A leaderboard with the release it is about, where that is at hand."""

    leaderboard: Leaderboard
    release: Release | None = None


@dataclass(frozen=True, kw_only=True)
class Version:
    """A leaderboard and its folder in the site, empty for the root."""

    board: Board
    path: str


@dataclass(frozen=True, kw_only=True)
class VersionLink:
    """How one version's pages lead to another, from the root of their own."""

    label: str
    href: str
    is_current: bool


def board_of(leaderboard: Leaderboard, release_dir: Path | None) -> Board:
    """Return the leaderboard with its release, refusing any other."""
    if release_dir is None:
        return Board(leaderboard=leaderboard)
    release = Release.open(release_dir)
    ours = leaderboard.benchmark
    if release.manifest_sha256 != ours.manifest_sha256:
        theirs = release.manifest
        raise bad_input(
            f"{release_dir}: is {theirs.name} {theirs.version} (manifest {release.manifest_sha256[:12]}),"
            f" but the leaderboard is of {ours.name} {ours.version} (manifest {ours.manifest_sha256[:12]});"
            " give the release on which its results were scored"
        )
    return Board(leaderboard=leaderboard, release=release)


def boards_of(leaderboards: Sequence[Leaderboard], release_dirs: Sequence[Path]) -> list[Board]:
    """Return each leaderboard with the release it is about; a release of none of them is refused."""
    releases = {Release.open(path).manifest_sha256: path for path in release_dirs}
    wanted = {board.benchmark.manifest_sha256 for board in leaderboards}
    for found, path in releases.items():
        if found not in wanted:
            board_of(leaderboards[0], path)
    return [board_of(board, releases.get(board.benchmark.manifest_sha256)) for board in leaderboards]


def versions_of(boards: Sequence[Board]) -> list[Version]:
    """Return the place of each leaderboard in the site; the same one twice is refused."""
    named = [(board.leaderboard.benchmark.name, board.leaderboard.benchmark.version) for board in boards]
    for name, version in named:
        if named.count((name, version)) > 1:
            raise UserError(
                f"{name} {version} is given twice; name one leaderboard a version",
                exit_code=ExitCode.WRONG_USE,
            )
    return [
        Version(board=board, path=f"versions/{page_name(*named[place])}/" if place else "")
        for place, board in enumerate(boards)
    ]


def links_between(version: Version, versions: Sequence[Version]) -> list[VersionLink]:
    """Return the links from a version to all, itself included."""
    up = "../" * version.path.count("/")
    return [
        VersionLink(
            label=visible(
                f"{other.board.leaderboard.benchmark.name} {other.board.leaderboard.benchmark.version}", 60
            ),
            href=f"{up}{other.path}index.html",
            is_current=other is version,
        )
        for other in versions
    ]
