"""Fetches a release from the Hub: by version, only what was asked for, every file checked by its hash."""

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.hashes import hash_of_file
from contract.machine.progress import Progress
from contract.release.release import BESIDE_SPLITS, MANIFEST, writing_release
from contract.release.split_selector import SplitSelector, chosen_splits, write_partial
from contract.schema.manifest import Manifest
from contract.schema.names import tag_of, version_order
from contract.transport.archives import check_documents, manifest_of
from contract.transport.hub import check_repo_id, connect, patiently

if TYPE_CHECKING:
    from huggingface_hub import HfApi

N_CONNECTIONS = 8


@dataclass(frozen=True, kw_only=True)
class Remote:
    """A data set of the Hub at one commit, or what the cache has of it."""

    api: "HfApi"
    repo: str
    version: str
    commit: str
    is_offline: bool

    def fetch(self, name: str, *, is_forced: bool = False) -> Path:
        """Return the local copy of a file, fetched if the cache does not have it."""
        return Path(
            patiently(
                f"{self.repo}@{self.version}: {name} cannot be fetched",
                lambda: self.api.hf_hub_download(
                    self.repo,
                    name,
                    repo_type="dataset",
                    # The cache notes which version a commit is when it is asked for by the version's name.
                    revision=self.version if name == MANIFEST and not self.is_offline else self.commit,
                    local_files_only=self.is_offline,
                    force_download=is_forced and not self.is_offline,
                ),
                go_on=f"{'Leave out --offline to fetch it' if self.is_offline else ''}",
            )
        )

    def documents(self) -> list[str]:
        """Return the documents that are there to be fetched, the manifest first."""
        if self.is_offline:
            folder = self.fetch(MANIFEST).parent
            return [name for name in BESIDE_SPLITS if (folder / name).exists()]
        there = patiently(
            f"{self.repo}@{self.version}: cannot be listed",
            lambda: set(self.api.list_repo_files(self.repo, repo_type="dataset", revision=self.commit)),
        )
        if MANIFEST not in there:
            raise bad_input(f"{self.repo}@{self.version}: not a release, it has no {MANIFEST}")
        return [name for name in BESIDE_SPLITS if name in there]


def download(
    repo: str,
    version: str | None,
    out: Path,
    selectors: Sequence[SplitSelector],
    progress: Progress,
    *,
    is_offline: bool,
) -> Manifest:
    """Write a release of the Hub into a folder, whole and as its manifest says, or not at all."""
    check_repo_id(repo)
    api = connect()
    remote = _cached(api, repo, version) if is_offline else _found(api, repo, version)
    with writing_release(out) as writer:
        _fetch_documents(remote, writer.folder)
        # Opening the release checks the paths in its manifest, which is untrusted.
        manifest = manifest_of(writer.folder, f"{remote.repo}@{remote.version}")
        splits = chosen_splits(manifest, selectors)
        progress.stage("download", len(splits))

        def fetch(place: int) -> None:
            split = splits[place]
            target = writer.folder / split.path
            target.parent.mkdir(parents=True, exist_ok=True)
            _copy_checked(remote, split.path, split.sha256, target)
            progress.step()

        _in_parallel(fetch, len(splits))
        write_partial(writer.folder, manifest, selectors)
    return manifest


def _fetch_documents(remote: Remote, folder: Path) -> None:
    """Copy the documents that have the published hashes; fetch them again if the cached ones have not."""
    for is_forced in (False, True):
        for name in remote.documents():
            shutil.copyfile(remote.fetch(name, is_forced=is_forced), folder / name)
        try:
            check_documents(folder, f"{remote.repo}@{remote.version}")
        except UserError:
            if is_forced:
                raise
            continue
        return


def _in_parallel(action: Callable[[int], None], n: int) -> None:
    """Call the action with 0 to n - 1; after the first error start no more and raise it."""
    with ThreadPoolExecutor(N_CONNECTIONS) as pool:
        futures = [pool.submit(action, place) for place in range(n)]
        try:
            for future in futures:
                future.result()
        finally:
            for future in futures:
                future.cancel()


def _copy_checked(remote: Remote, name: str, sha256: str | None, target: Path) -> None:
    """Copy a file that has the frozen hash; fetch it again if the cached one has not."""
    for is_forced in (False, True):
        path = remote.fetch(name, is_forced=is_forced)
        if hash_of_file(path) == sha256:
            shutil.copyfile(path, target)
            return
    raise UserError(
        f"{remote.repo}@{remote.version}: {name} is not the file that the manifest froze (sha256 {sha256});"
        " nothing was written. Report it to the publisher",
        exit_code=ExitCode.MISMATCH,
    )


def _found(api: "HfApi", repo: str, version: str | None) -> Remote:
    """Return the data set at a version: as named, or the latest."""
    refs = patiently(f"{repo}: cannot be read", lambda: api.list_repo_refs(repo, repo_type="dataset"))
    tags = {ref.name: ref.target_commit for ref in refs.tags}
    versions = sorted((tag for tag in tags if version_order(tag)), key=version_order)
    if version is None:
        if not versions:
            raise bad_input(f"{repo}: has no published version; name a branch or commit as {repo}@NAME")
        version = versions[-1]
    others = {ref.name: ref.target_commit for ref in refs.branches}
    known = {**others, **tags}
    name = next((name for name in (tag_of(version), version) if name in known), None)
    if name is None and _is_commit(version):
        name = version
    if name is None:
        raise bad_input(f"{repo}: no version {version!r}; it has: {', '.join(versions) or 'none'}")
    return Remote(api=api, repo=repo, version=name, commit=known.get(name, name), is_offline=False)


def _is_commit(version: str) -> bool:
    return len(version) == 40 and set(version) <= set("0123456789abcdef")


def _cached(api: "HfApi", repo: str, version: str | None) -> Remote:
    """Return what earlier downloads left of a version."""
    noted = _cached_versions(repo)
    if version is None and noted:
        version = max(noted, key=version_order)
    commit = noted.get(tag_of(version or "")) or noted.get(version or "")
    if version is None or commit is None:
        known = ", ".join(sorted(noted, key=version_order)) or "no version of it"
        raise bad_input(
            f"{repo}@{version or 'latest'}: not in the cache, which has {known}; leave out --offline"
        )
    return Remote(api=api, repo=repo, version=version, commit=commit, is_offline=True)


def _cached_versions(repo: str) -> dict[str, str]:
    """Return the versions that the cache knows of a data set, with their commits."""
    from huggingface_hub import scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    try:
        repos = scan_cache_dir().repos
    except CacheNotFound:
        return {}
    of_repo = [found for found in repos if (found.repo_type, found.repo_id) == ("dataset", repo)]
    return {name: at.commit_hash for found in of_repo for name, at in found.refs.items()}
