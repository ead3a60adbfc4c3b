"""Repositories as a Hub keeps them: commits, branches, tags and large files, all in memory."""

import hashlib
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class StoredFile:
    """A file of a commit; a large one is known by the hash of its content."""

    data: bytes
    is_large: bool

    @property
    def sha256(self) -> str:
        """The name of a large file's content."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def oid(self) -> str:
        """The name git gives the content, or for a large file its pointer."""
        data = self.data
        if self.is_large:
            pointer = (
                f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {len(data)}\n"
            )
            data = pointer.encode()
        return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()  # noqa: S324

    @property
    def etag(self) -> str:
        """What a download compares."""
        return self.sha256 if self.is_large else self.oid

    def described(self, path: str) -> dict[str, Any]:
        """Return the file as a tree lists it."""
        entry = {"type": "file", "path": path, "oid": self.oid, "size": len(self.data)}
        if self.is_large:
            entry["lfs"] = {"oid": self.sha256, "size": len(self.data), "pointerSize": 134}
        return entry


Tree = Mapping[str, StoredFile]


@dataclass(kw_only=True)
class Repo:
    """A repository with its whole history."""

    kind: str
    name: str
    is_private: bool = False
    gated: str | bool = False
    sdk: str | None = None
    commits: dict[str, Tree] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    # Commits as (branch, what the message said).
    history: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        attributes = StoredFile(data=b"*.parquet filter=lfs diff=lfs merge=lfs -text\n", is_large=False)
        self.commit("main", {".gitattributes": attributes}, "initial commit")

    def commit(self, branch: str, tree: Tree, message: str) -> str:
        """Add a commit to a branch and return its name."""
        content = repr((self.kind, self.name, branch, len(self.commits), message))
        oid = hashlib.sha1(content.encode()).hexdigest()  # noqa: S324
        self.commits[oid] = dict(tree)
        self.branches[branch] = oid
        self.history.append((branch, message))
        return oid

    def find(self, revision: str) -> str | None:
        """Return the commit that a branch, a tag or a name stands for."""
        known = {**self.tags, **self.branches, **{oid: oid for oid in self.commits}}
        return known.get(revision)

    def tree(self, revision: str) -> Tree:
        """Return the files at a revision that exists."""
        return self.commits[self.find(revision) or ""]

    def info(self, revision: str) -> dict[str, Any]:
        """Return what the Hub says of a repository."""
        return {
            "_id": self.name,
            "id": self.name,
            "author": self.name.partition("/")[0],
            "sha": self.find(revision),
            "private": self.is_private,
            "gated": self.gated,
            "disabled": False,
            "downloads": 0,
            "likes": 0,
            "tags": [],
            "sdk": self.sdk,
            "lastModified": "2026-01-01T00:00:00.000Z",
            "createdAt": "2026-01-01T00:00:00.000Z",
            "siblings": [{"rfilename": path} for path in self.tree(revision)],
        }

    def listed(self, revision: str, folder: str, *, is_recursive: bool) -> list[dict[str, Any]] | None:
        """Return the entries of a folder, or nothing if there is no such folder."""
        prefix = f"{folder}/" if folder else ""
        inside = {path: file for path, file in self.tree(revision).items() if path.startswith(prefix)}
        if folder and not inside:
            return None
        entries: dict[str, dict[str, Any]] = {}
        for path, file in sorted(inside.items()):
            for parent in _parents(path, prefix):
                if is_recursive or "/" not in parent.removeprefix(prefix):
                    entries[parent] = {"type": "directory", "path": parent, "oid": "0" * 40, "size": 0}
            if is_recursive or "/" not in path.removeprefix(prefix):
                entries[path] = file.described(path)
        return list(entries.values())


def _parents(path: str, prefix: str) -> Iterator[str]:
    parts = path.removeprefix(prefix).split("/")[:-1]
    for n_parts in range(1, len(parts) + 1):
        yield prefix + "/".join(parts[:n_parts])


@dataclass(kw_only=True)
class Fault:
    """Something that goes wrong with the next requests that match."""

    method: str
    path: str
    # A status to answer with, or: cut-upload, cut-download, lose-reply, tamper, stale-parent.
    kind: int | str
    times: int = 1
    retry_after: int | None = None
    # How many matching requests go well before.
    after: int = 0


@dataclass(kw_only=True)
class HubState:
    """Everything a Hub knows, and what is to go wrong."""

    tokens: frozenset[str] = frozenset()
    repos: dict[tuple[str, str], Repo] = field(default_factory=dict)
    objects: dict[str, bytes] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    # Readers whose request for a gated repository was granted.
    granted: set[str] = field(default_factory=set)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def dataset(self, name: str) -> Repo:
        """Return a data set."""
        return self.repos["datasets", name]

    def fault(self, method: str, path: str) -> Fault | None:
        """Return what is to go wrong with a request, if anything."""
        with self.lock:
            for fault in self.faults:
                if fault.method == method and fault.path in path and fault.times:
                    if fault.after:
                        fault.after -= 1
                        return None
                    fault.times -= 1
                    return fault
        return None
