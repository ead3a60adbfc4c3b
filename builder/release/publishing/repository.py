"""A repository on the Hub: what it holds, and changes that happen whole or not at all."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.progress import Progress
from contract.transport.hub import LOGIN, StaleParentError, has_token, patiently

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
    from huggingface_hub.hf_api import RepoFile

MAIN = "main"
GO_ON = "No version was half published; the same command goes on where it stopped"


@dataclass(frozen=True, kw_only=True)
class LocalFile:
    """A file to put on the Hub, from disk or from memory."""

    name: str
    content: Path | bytes

    @cached_property
    def size(self) -> int:
        """How many bytes it has."""
        return self.content.stat().st_size if isinstance(self.content, Path) else len(self.content)

    def is_same_as(self, remote: "RepoFile") -> bool:
        """Tell whether the Hub has the same bytes, which it names by sha256 or, if small, as git does."""
        if self.size != remote.size:
            return False
        data = self.content.read_bytes() if isinstance(self.content, Path) else self.content
        if remote.lfs is not None:
            return hashlib.sha256(data).hexdigest() == remote.lfs.sha256
        # Not for safety: it is how git calls a file.
        git_name = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
        return git_name == remote.blob_id


@dataclass(frozen=True, kw_only=True)
class References:
    """Where branches and tags of a repository point."""

    branches: Mapping[str, str]
    tags: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Repository:
    """A data set or a Space of the Hub."""

    api: "HfApi"
    name: str
    kind: Literal["dataset", "space"]

    @property
    def url(self) -> str:
        """The page of the repository."""
        return f"{self.api.endpoint}/{self.kind}s/{self.name}"

    def ensure(self, *, is_private: bool, gated: Literal["auto", "manual"] | None) -> None:
        """Make the repository if there is none; refuse a public one where a private one was asked for."""
        if not has_token():
            raise UserError(f"{self.name}: publishing needs a token; {LOGIN}", exit_code=ExitCode.NETWORK)
        patiently(
            f"{self.name}: cannot be made",
            lambda: self.api.create_repo(
                self.name,
                repo_type=self.kind,
                private=is_private,
                exist_ok=True,
                space_sdk="static" if self.kind == "space" else None,
            ),
        )
        info = patiently(
            f"{self.name}: cannot be read", lambda: self.api.repo_info(self.name, repo_type=self.kind)
        )
        if is_private and not info.private:
            raise bad_input(
                f"{self.name}: is public already; make it private in its settings, or leave out --private"
            )
        # Before any file is uploaded, so that none can be read without a request.
        if gated is not None and getattr(info, "gated", None) != gated:
            patiently(
                f"{self.name}: cannot be gated",
                lambda: self.api.update_repo_settings(self.name, repo_type=self.kind, gated=gated),
            )

    def references(self) -> References:
        """Return where branches and tags point now."""
        refs = patiently(
            f"{self.name}: cannot be read", lambda: self.api.list_repo_refs(self.name, repo_type=self.kind)
        )
        return References(
            branches={ref.name: ref.target_commit for ref in refs.branches},
            tags={ref.name: ref.target_commit for ref in refs.tags},
        )

    def files(self, revision: str) -> dict[str, "RepoFile"]:
        """Return all files at a revision by name."""
        from huggingface_hub.hf_api import RepoFile

        entries = patiently(
            f"{self.name}@{revision}: cannot be listed",
            lambda: list(
                self.api.list_repo_tree(self.name, repo_type=self.kind, revision=revision, recursive=True)
            ),
        )
        return {entry.path: entry for entry in entries if isinstance(entry, RepoFile)}

    def differing(self, files: Sequence[LocalFile], revision: str) -> list[str]:
        """Return the names of local files that are not at a revision as they are here."""
        there = self.files(revision)
        return [
            file.name for file in files if file.name not in there or not file.is_same_as(there[file.name])
        ]

    def commit(
        self,
        files: Sequence[LocalFile],
        deleted: Sequence[str],
        message: str,
        *,
        branch: str,
        parent: str,
        progress: Progress,
    ) -> str:
        """Upload files and add them in one commit on top of the parent; return the commit."""
        additions = [self._uploaded(file, branch, progress) for file in files]
        operations: list[CommitOperationAdd | CommitOperationDelete] = [*additions, *_deletions(deleted)]
        try:
            return patiently(
                f"{self.name}: the commit failed",
                lambda: (
                    self.api.create_commit(
                        self.name,
                        operations,
                        commit_message=message,
                        repo_type=self.kind,
                        revision=branch,
                        parent_commit=parent,
                    ).oid
                ),
                go_on=GO_ON,
            )
        except StaleParentError:
            head = self.references().branches[branch]
            # The commit may be our own, where only its answer was lost.
            if (
                head != parent
                and not self.differing(files, head)
                and not set(deleted) & set(self.files(head))
            ):
                return head
            raise

    def _uploaded(self, file: LocalFile, branch: str, progress: Progress) -> "CommitOperationAdd":
        """Return the addition of a file; a large one is on the Hub then, waiting for its commit."""
        from huggingface_hub import CommitOperationAdd

        content = str(file.content) if isinstance(file.content, Path) else file.content
        addition = CommitOperationAdd(path_in_repo=file.name, path_or_fileobj=content)
        patiently(
            f"{self.name}: {file.name} cannot be uploaded",
            lambda: self.api.preupload_lfs_files(
                self.name, [addition], repo_type=self.kind, revision=branch, free_memory=False
            ),
            go_on=GO_ON,
        )
        progress.step()
        return addition

    def tag(self, name: str, commit: str, message: str) -> None:
        """Tag a commit; a tag that exists is never moved."""
        try:
            patiently(
                f"{self.name}: the tag {name} cannot be made",
                lambda: self.api.create_tag(
                    self.name, tag=name, tag_message=message, revision=commit, repo_type=self.kind
                ),
                go_on=GO_ON,
            )
        except UserError:
            # Made by us, where only the answer was lost; anything else is somebody else's.
            if self.references().tags.get(name) != commit:
                raise

    def make_branch(self, name: str, start: str) -> None:
        """Make a branch that begins at a commit."""
        patiently(
            f"{self.name}: the branch {name} cannot be made",
            lambda: self.api.create_branch(
                self.name, branch=name, revision=start, repo_type=self.kind, exist_ok=True
            ),
            go_on=GO_ON,
        )

    def delete_branch(self, name: str) -> None:
        """Remove a branch."""
        patiently(
            f"{self.name}: the branch {name} cannot be removed",
            lambda: self.api.delete_branch(self.name, branch=name, repo_type=self.kind),
            go_on=GO_ON,
        )


def _deletions(names: Sequence[str]) -> list["CommitOperationDelete"]:
    from huggingface_hub import CommitOperationDelete

    return [CommitOperationDelete(path_in_repo=name, is_folder=False) for name in names]
