"""Publishes a release: verified, in one commit, then tagged with its version; a tag is never moved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from builder.release.publishing.repository import MAIN, LocalFile, Repository
from contract.machine.errors import ExitCode, UserError, bad_input, bad_inputs
from contract.machine.progress import Progress
from contract.release.checksums import CHECKSUMS, checksums_of
from contract.release.release import BESIDE_SPLITS, DOCUMENTS, MANIFEST, Release
from contract.release.split_selector import left_out_of
from contract.release.verification import verify
from contract.schema.names import DECOYS, tag_of, version_order
from contract.transport.hub import check_repo_id, connect

# The Hub advises against commits of more files than this: larger releases are staged first.
MOST_FILES_A_COMMIT = 100


@dataclass(frozen=True, kw_only=True)
class Audience:
    """Whether a new repository is public, gated or private."""

    is_private: bool = False
    gated: Literal["auto", "manual"] | None = None


@dataclass(frozen=True, kw_only=True)
class Published:
    """The result of publishing a release."""

    repo: str
    tag: str
    commit: str
    n_files: int
    is_new: bool
    # Documents that the version has in another wording; the benchmark is the same.
    other_documents: Sequence[str]
    # The commit of the main branch that has them as they are here, where that was asked for.
    corrected: str | None = None
    url: str


def check_release(release: Release, progress: Progress) -> None:
    """Refuse a release that is not whole and as it was frozen."""
    if release.manifest.recipe.get("decoys") and release.manifest.name.endswith(DECOYS):
        raise bad_input(
            f"{release.path}: these are the decoys of a release, and would tell its labels; publish that"
        )
    if left_out_of(release.path):
        raise bad_input(f"{release.path}: only a part of a release; download all of it to publish it")
    differences = verify(release, progress)
    if differences:
        lines = [*differences, f"{release.path}: not published; build or download the release again"]
        raise UserError("\n".join(lines), exit_code=ExitCode.MISMATCH)


def files_to_publish(release: Release, documents: Mapping[str, str]) -> list[LocalFile]:
    """Return the files of a release that was checked, its documents as given."""
    texts = {**documents, MANIFEST: (release.path / MANIFEST).read_text(encoding="utf-8")}
    _refuse_private_details(release, texts)
    contents = {name: text.encode() for name, text in texts.items()}
    contents[CHECKSUMS] = checksums_of(contents).encode()
    files = [LocalFile(name=name, content=content) for name, content in contents.items()]
    data = [
        LocalFile(name=split.path, content=release.path / split.path)
        for split in release.manifest.splits
        if split.rows
    ]
    return [*files, *data]


def _refuse_private_details(release: Release, texts: Mapping[str, str]) -> None:
    """Refuse documents that name folders of this machine."""
    private = {str(Path.home()), str(release.path.resolve().parent), str(Path.cwd())} - {"/"}
    problems = [
        f"{release.path / name}: names the folder {folder} of this machine; take it out"
        for name, text in texts.items()
        for folder in sorted(private)
        if f"{folder}/" in text
    ]
    if problems:
        raise bad_inputs(problems)


def publish(
    release: Release,
    files: Sequence[LocalFile],
    repo_id: str,
    audience: Audience,
    progress: Progress,
    *,
    corrects_documents: bool = False,
) -> Published:
    """Put a release on the Hub as a version of its own, or find that it is there.

    A version's tag is never moved. Its documents are corrected on the main branch, which is what people see.
    """
    manifest = release.manifest
    repo = Repository(api=connect(), name=check_repo_id(repo_id), kind="dataset")
    repo.ensure(is_private=audience.is_private, gated=audience.gated)
    tag = tag_of(manifest.version)
    staging = _staging(tag)
    refs = repo.references()
    is_new = tag not in refs.tags
    message = f"{manifest.name} {manifest.version}"
    if is_new:
        is_latest = all(version_order(known) < version_order(tag) for known in refs.tags)
        if len(files) > MOST_FILES_A_COMMIT or not is_latest or staging in refs.branches:
            commit = _stage(repo, files, message, staging, progress)
        else:
            commit = _commit_once(repo, files, message, refs.branches[MAIN], progress)
        progress.stage("check and tag", 2)
        _check(repo, files, commit)
        progress.step()
        repo.tag(tag, commit, message)
        progress.step()
    commit = repo.references().tags[tag]
    differing = repo.differing(files, commit)
    if set(differing) - {*DOCUMENTS, CHECKSUMS} or MANIFEST in differing:
        raise UserError(
            f"{repo_id}@{tag}: is there with other content ({', '.join(differing[:5])}"
            f"{' …' if len(differing) > 5 else ''}); a version never changes:"
            " raise `version` in the recipe and build again",
            exit_code=ExitCode.MISMATCH,
        )
    _finish_staging(repo, files, message, tag, progress)
    corrected = _correct(repo, files, tag, message, progress) if corrects_documents else None
    return Published(
        repo=repo_id,
        tag=tag,
        commit=commit,
        n_files=len(files),
        is_new=is_new,
        other_documents=[name for name in differing if name != CHECKSUMS],
        corrected=corrected,
        url=f"{repo.url}/tree/{tag}",
    )


def _correct(
    repo: Repository, files: Sequence[LocalFile], tag: str, message: str, progress: Progress
) -> str | None:
    """Return the commit of main that has the documents as they are here; none where it needs no other."""
    head = repo.references().branches[MAIN]
    differing = set(repo.differing(files, head))
    if not differing:
        return None
    if differing - {*DOCUMENTS, CHECKSUMS} or MANIFEST in differing:
        raise UserError(
            f"{repo.name}: main shows another version than {tag}; its documents are corrected by publishing"
            " that version",
            exit_code=ExitCode.MISMATCH,
        )
    changed = [file for file in files if file.name in differing]
    progress.stage("upload", len(changed))
    return repo.commit(
        changed, [], f"{message}: documents corrected", branch=MAIN, parent=head, progress=progress
    )


def _commit_once(
    repo: Repository, files: Sequence[LocalFile], message: str, head: str, progress: Progress
) -> str:
    """Return the commit of main that holds the release, made now unless an interrupted try made it."""
    progress.stage("upload", len(files))
    deleted = _outdated(repo, files, head)
    if not deleted and not repo.differing(files, head):
        progress.step(len(files))
        return head
    return repo.commit(files, deleted, message, branch=MAIN, parent=head, progress=progress)


def _staging(tag: str) -> str:
    """Return the branch on which a version is put together."""
    return f"publish-{tag}"


def _outdated(repo: Repository, files: Sequence[LocalFile], revision: str) -> list[str]:
    """Return what an older version left: its splits and documents, never files of somebody's own."""
    names = {file.name for file in files}
    ours = [name for name in repo.files(revision) if name.startswith("data/") or name in BESIDE_SPLITS]
    return sorted(set(ours) - names)


def _stage(
    repo: Repository, files: Sequence[LocalFile], message: str, staging: str, progress: Progress
) -> str:
    """Return the last commit of a branch that takes the files in parts, going on where one stopped."""
    head = repo.references().branches.get(staging)
    if head is None:
        repo.make_branch(staging, repo.references().branches[MAIN])
        head = repo.references().branches[staging]
    progress.stage("upload", len(files))
    missing = set(repo.differing(files, head))
    progress.step(len(files) - len(missing))
    todo = [file for file in files if file.name in missing]
    deleted = _outdated(repo, files, head)
    parts = [todo[at : at + MOST_FILES_A_COMMIT] for at in range(0, len(todo), MOST_FILES_A_COMMIT)]
    for number, part in enumerate(parts or [[]] if deleted else parts, start=1):
        text = f"{message}, part {number} of {len(parts)}"
        head = repo.commit(part, deleted, text, branch=staging, parent=head, progress=progress)
        deleted = []
    return head


def _finish_staging(
    repo: Repository, files: Sequence[LocalFile], message: str, tag: str, progress: Progress
) -> None:
    """Bring the main branch to a staged version if it is the latest, then remove the stage."""
    refs, staging = repo.references(), _staging(tag)
    if staging not in refs.branches:
        return
    if all(version_order(known) <= version_order(tag) for known in refs.tags):
        # All content is on the Hub: this commit moves names only, and is whole or not at all.
        _commit_once(repo, files, message, refs.branches[MAIN], progress)
    repo.delete_branch(staging)


def _check(repo: Repository, files: Sequence[LocalFile], commit: str) -> None:
    """Refuse to tag what did not arrive as it is here."""
    differing = repo.differing(files, commit)
    if differing:
        raise UserError(
            f"{repo.name}: {', '.join(differing[:5])} did not arrive as sent; no version was made,"
            " run the command again",
            exit_code=ExitCode.MISMATCH,
        )
