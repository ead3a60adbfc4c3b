"""Opens pull requests on the Hub: files added in one commit that the owners of a repository may merge."""

from collections.abc import Mapping
from pathlib import Path

from contract.machine.errors import ExitCode, UserError
from contract.transport.hub import LOGIN, check_repo_id, connect, has_token, patiently


def open_pull_request(repo: str, files: Mapping[str, Path], *, title: str, text: str) -> str:
    """Propose files, by their names in the data set, as one commit; return the pull request's address."""
    check_repo_id(repo)
    api = connect()
    from huggingface_hub import CommitOperationAdd

    if not has_token():
        raise UserError(f"{repo}: a pull request needs a token; {LOGIN}", exit_code=ExitCode.NETWORK)

    def propose() -> str | None:
        additions = [
            CommitOperationAdd(path_in_repo=name, path_or_fileobj=str(path)) for name, path in files.items()
        ]
        return api.create_commit(
            repo,
            additions,
            commit_message=title,
            commit_description=text,
            repo_type="dataset",
            create_pr=True,
        ).pr_url

    url = patiently(f"{repo}: the pull request cannot be opened", propose)
    if url is None:
        raise UserError(f"{repo}: the Hub did not say where the pull request is", exit_code=ExitCode.NETWORK)
    return url
