"""Finds releases by their short names in a list: the one that ships, a file, or an address of the web."""

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.progress import Progress
from contract.machine.registry import Registry, did_you_mean
from contract.schema.release_lists import ListedRelease, ReleaseList
from contract.transport.addresses import fetch, is_url, shown_place

SHIPPED_LIST = Path(__file__).parent / "ready_made" / "releases.json"
# Names another list, as the option of `download` does.
VARIABLE = "HARDFROST_RELEASES"
MOST_BYTES_OF_A_LIST = 1_000_000

_SHORT_NAME = re.compile(r"[a-z0-9-]+(@[0-9.]+)?")


@dataclass(frozen=True, kw_only=True)
class FoundRelease:
    """A release of a list: its entry, and where its archive is, a path or an address of the web."""

    entry: ListedRelease
    place: str


def is_short_name(place: str) -> bool:
    """Tell whether a place is the short name of a release: neither a path nor a repository of the Hub."""
    return _SHORT_NAME.fullmatch(place) is not None


def find_release(place: str, progress: Progress, *, list_place: str | None, is_offline: bool) -> FoundRelease:
    """Return the release of a short name, NAME or NAME@VERSION; without a version the latest."""
    name, _, version = place.partition("@")
    where = chosen_list(list_place)
    known = read_list(where, progress, is_offline=is_offline)
    names = [release.name for release in known.latest]
    if name not in names:
        raise bad_input(
            f"no release is called {name!r};{did_you_mean(name, names)} {shown_place(where)} lists:"
            f" {', '.join(names) or 'none'}; a release on the Hub is written ORG/NAME"
        )
    if not version:
        entry = next(release for release in known.latest if release.name == name)
    else:
        of_name = {release.version: release for release in known.releases if release.name == name}
        if version not in of_name:
            raise bad_input(
                f"{name}: no version {version!r}; {shown_place(where)} lists: {', '.join(of_name)}"
            )
        entry = of_name[version]
    return FoundRelease(entry=entry, place=_resolved(entry.address, where))


def chosen_list(list_place: str | None) -> str:
    """Return the path or address of the list: as given, of the environment, or the one that ships."""
    return list_place or os.environ.get(VARIABLE) or str(SHIPPED_LIST)


def read_list(place: str, progress: Progress, *, is_offline: bool = False) -> ReleaseList:
    """Return the list at a path or an address of the web."""
    if not is_url(place):
        path = Path(place)
        if path.is_file() and path.stat().st_size > MOST_BYTES_OF_A_LIST:
            raise bad_input(f"{path}: larger than {MOST_BYTES_OF_A_LIST:,} bytes; is it a list of releases?")
        return ReleaseList.read(path)
    title = shown_place(place)
    if is_offline:
        raise UserError(f"{title}: is on the network; leave out --offline", exit_code=ExitCode.WRONG_USE)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "releases.json"
        with path.open("wb") as file:
            fetch(place, file, progress, most_bytes=MOST_BYTES_OF_A_LIST)
        try:
            return ReleaseList.read(path)
        except UserError as error:
            raise UserError(error.message.replace(str(path), title), exit_code=error.exit_code) from None


def listed_releases() -> Registry[ListedRelease]:
    """Return the latest version of every release in the chosen list, for `hardfrost list releases`."""
    from contract.machine.progress import Silence

    return Registry("release", read_list(chosen_list(None), Silence()).latest)


def _resolved(address: str, list_place: str) -> str:
    """Return where an archive is; a relative address starts where the list lies."""
    if is_url(address):
        return address
    return urljoin(list_place, address) if is_url(list_place) else str(Path(list_place).parent / address)
