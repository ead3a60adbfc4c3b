"""Several versions of a benchmark on one site: the first at the root, each other in its own folder."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.release.release import Release
from contract.schema.leaderboards import Leaderboard
from leaderboard.text.untrusted_text import page_name, visible


@dataclass(frozen=True, kw_only=True)
class Board:
    """A leaderboard, and its release if that is given."""

    leaderboard: Leaderboard
    release: Release | None = None


@dataclass(frozen=True, kw_only=True)
class Version:
    """A leaderboard and its folder in the site, empty for the root."""

    board: Board
    path: str


@dataclass(frozen=True, kw_only=True)
class VersionLink:
    """A link to a version, relative to the root of the version whose pages contain it."""

    label: str
    href: str
    is_current: bool


def board_of(leaderboard: Leaderboard, release_dir: Path | None) -> Board:
    """Return the leaderboard with its release; a different release is an error."""
    if release_dir is None:
        return Board(leaderboard=leaderboard)
    release = Release.open(release_dir)
    expected = leaderboard.benchmark
    if release.manifest_sha256 != expected.manifest_sha256:
        manifest = release.manifest
        raise bad_input(
            f"{release_dir}: is {manifest.name} {manifest.version} (manifest {release.manifest_sha256[:12]}),"
            f" but the leaderboard is of {expected.name} {expected.version}"
            f" (manifest {expected.manifest_sha256[:12]});"
            " give the release on which its results were scored"
        )
    return Board(leaderboard=leaderboard, release=release)


def boards_of(leaderboards: Sequence[Leaderboard], release_dirs: Sequence[Path]) -> list[Board]:
    """Return each leaderboard with its release, if given; a release of none of them is an error."""
    releases = {Release.open(path).manifest_sha256: path for path in release_dirs}
    wanted = {board.benchmark.manifest_sha256 for board in leaderboards}
    for manifest_sha256, path in releases.items():
        if manifest_sha256 not in wanted:
            # Raises the error that says which release was expected.
            board_of(leaderboards[0], path)
    return [board_of(board, releases.get(board.benchmark.manifest_sha256)) for board in leaderboards]


def versions_of(boards: Sequence[Board]) -> list[Version]:
    """Return each leaderboard with its folder in the site; two of the same version are an error."""
    named = [(board.leaderboard.benchmark.name, board.leaderboard.benchmark.version) for board in boards]
    for name, version in named:
        if named.count((name, version)) > 1:
            raise UserError(
                f"{name} {version} is given twice; give one leaderboard for each version",
                exit_code=ExitCode.WRONG_USE,
            )
    return [
        Version(board=board, path=f"versions/{page_name(*named[index])}/" if index else "")
        for index, board in enumerate(boards)
    ]


def links_between(version: Version, versions: Sequence[Version]) -> list[VersionLink]:
    """Return the links from a version to all versions, itself included."""
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
