"""Publishes withheld labels with their salt, after checking them against the manifest's commitment."""

from dataclasses import dataclass
from pathlib import Path

from builder.release.publishing.repository import MAIN, LocalFile, Repository
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.progress import Progress
from contract.release.commitments import LABELS, SALT, holds
from contract.release.release import MANIFEST
from contract.schema.manifest import Manifest
from contract.schema.names import tag_of
from contract.transport.hub import check_repo_id, connect, patiently


@dataclass(frozen=True, kw_only=True)
class Revealed:
    """Labels that are public now."""

    repo: str
    tag: str
    commit: str
    is_new: bool


def labels_tag(version: str) -> str:
    """Return the tag of a version with its labels; the version's own tag stays where it is."""
    return f"{tag_of(version)}-labels"


def reveal(private_path: Path, repo_id: str, version: str, progress: Progress) -> Revealed:
    """Publish labels and salt of a version, if its manifest commits to them."""
    repo = Repository(api=connect(), name=check_repo_id(repo_id), kind="dataset")
    refs = repo.references()
    version_tag, tag = tag_of(version), labels_tag(version)
    if version_tag not in refs.tags:
        raise bad_input(f"{repo_id}: no version {version!r}; it has: {', '.join(refs.tags) or 'none'}")
    commit = refs.tags[version_tag]
    manifest = _published_manifest(repo, commit)
    if manifest.commitment is None:
        raise bad_input(f"{repo_id}@{version_tag}: its labels were never withheld")
    labels_path = private_path / LABELS
    if not holds(labels_path, manifest):
        raise UserError(
            f"{labels_path}: not the labels that {repo_id}@{version_tag} promised; nothing was published",
            exit_code=ExitCode.MISMATCH,
        )
    files = [LocalFile(name=name, content=private_path / name) for name in (LABELS, SALT)]
    if tag in refs.tags:
        if repo.differing(files, refs.tags[tag]):
            raise UserError(
                f"{repo_id}@{tag}: is there with other content, which its manifest did not promise",
                exit_code=ExitCode.MISMATCH,
            )
        return Revealed(repo=repo_id, tag=tag, commit=refs.tags[tag], is_new=False)
    commit = _committed(repo, files, commit, tag, progress)
    repo.tag(tag, commit, f"labels of {manifest.name} {manifest.version}")
    return Revealed(repo=repo_id, tag=tag, commit=commit, is_new=True)


def _committed(repo: Repository, files: list[LocalFile], start: str, tag: str, progress: Progress) -> str:
    """Return a commit with the labels: on main if it shows this version, else on a branch for the tag."""
    head = repo.references().branches[MAIN]
    there, then = repo.files(head), repo.files(start)
    is_current = MANIFEST in there and there[MANIFEST].blob_id == then[MANIFEST].blob_id
    branch = MAIN if is_current else f"publish-{tag}"
    if not is_current:
        repo.make_branch(branch, start)
        head = repo.references().branches[branch]
    progress.stage("upload", len(files))
    if repo.differing(files, head):
        head = repo.commit(files, [], f"labels for {tag}", branch=branch, parent=head, progress=progress)
    return head


def _published_manifest(repo: Repository, commit: str) -> Manifest:
    path = patiently(
        f"{repo.name}: {MANIFEST} cannot be fetched",
        lambda: repo.api.hf_hub_download(repo.name, MANIFEST, repo_type="dataset", revision=commit),
    )
    return Manifest.read(Path(path))
