"""A leaderboard on the Hub: submissions arrive as pull requests, and the workflow deploys the site."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import READER, ROOT, WRITER, Clients

from leaderboard.submissions.rechecking import WORKFLOW_PATH

BOARD = "frost/board"


@pytest.fixture
def predictions(tiny: Path, tmp_path: Path) -> Path:
    """Return the predictions of a constant answer."""
    from evaluator.predicting.predicting import predict

    path = tmp_path / "majority.jsonl"
    predict(tiny, "majority", path)
    return path


def submit(clients: Clients, release: Path, predictions: Path, results: Path, *more: str, **options: str):  # noqa: ANN201
    """Submit a constant answer."""
    model = ("--model-name", "majority", "--organisation", "me", "--revision", "1")
    return clients.hardfrost(
        "submit", release, predictions, *model, "--results", results, "--hub", BOARD, *more, **options
    )


def test_a_submission_opens_a_pull_request(
    clients: Clients, tiny: Path, predictions: Path, tmp_path: Path
) -> None:
    """With the two files of the submission under results/; the main branch stays as it was."""
    created = "from huggingface_hub import HfApi; HfApi().create_repo('frost/board', repo_type='dataset')"
    assert clients.python(created).exit_code == 0
    done = submit(clients, tiny, predictions, tmp_path / "results")
    assert done.exit_code == 0, done.err
    assert done.out == f"{clients.address}/datasets/{BOARD}/discussions/1\n"
    repo = clients.state.dataset(BOARD)
    assert set(repo.tree("main")) == {".gitattributes"}
    added = {name: file for name, file in repo.tree("refs/pr/1").items() if name != ".gitattributes"}
    place = "results/me__majority/1"
    assert set(added) == {f"{place}/result.json", f"{place}/predictions.jsonl.gz"}
    for name, file in added.items():
        assert file.data == (tmp_path / name).read_bytes()
    assert repo.history[-1] == ("refs/pr/1", "Add majority to mr-tiny 2.0")
    again = submit(clients, tiny, predictions, tmp_path / "results", "--json", token=READER)
    assert json.loads(again.out)["pull_request_url"].endswith("/discussions/2")


def test_a_pull_request_needs_a_token_and_a_repository(
    clients: Clients, tiny: Path, predictions: Path, tmp_path: Path
) -> None:
    """What is wrong is said in a sentence; the submission stays in the folder."""
    refused = submit(clients, tiny, predictions, tmp_path / "results", token=None)  # type: ignore[arg-type]
    assert refused.exit_code == 5
    assert "a pull request needs a token" in refused.err
    missing = submit(clients, tiny, predictions, tmp_path / "results")
    assert missing.exit_code == 5
    assert "the pull request cannot be opened" in missing.err
    assert (tmp_path / "results/me__majority/1/result.json").is_file()


@pytest.mark.parametrize("space", ["", "frost/pages"])
def test_the_workflow_deploys_the_site_as_it_is_shipped(
    clients: Clients, tiny: Path, predictions: Path, tmp_path: Path, space: str
) -> None:
    """Its shell steps are run here; a site for Pages lies where the next step takes it from."""
    workflow = yaml.safe_load(WORKFLOW_PATH.read_text(encoding="utf-8"))
    job = workflow["jobs"]["site"]
    assert job["needs"] == "recheck"
    assert job["if"] == "github.event_name == 'push'"
    assert job["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    repository = tmp_path / "repository"
    submitted = clients.hardfrost(
        "submit", tiny, predictions, "--model-name", "majority", "--results", repository / "results"
    )
    assert submitted.exit_code == 0, submitted.err
    archive = tmp_path / "release.tar.gz"
    assert clients.hardfrost("pack", tiny, "-o", archive).exit_code == 0
    git = ["git", "-C", str(repository), "-c", "user.name=me", "-c", "user.email=me@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    temporary = tmp_path / "runner"
    temporary.mkdir()
    unset = ("HF_", "HUGGING", "HTTP", "http", "ALL_PROXY")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
    environment |= {name: str(value) for name, value in workflow["env"].items()}
    environment |= {
        "RELEASE": str(archive),
        "SPACE": space,
        "RUNNER_TEMP": str(temporary),
        "PYTHONPATH": str(ROOT),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HF_ENDPOINT": clients.address,
        "HF_HOME": str(clients.home),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "NO_PROXY": "127.0.0.1",
        "HF_TOKEN": WRITER,
    }
    ran = []
    for step in job["steps"]:
        if "run" not in step or step["name"] == "Install" or not is_meant(step.get("if"), space):
            continue
        # No text from a submitter is pasted into a shell.
        assert "${{" not in step["run"]
        done = subprocess.run(
            [shutil.which("bash") or "bash", "-e", "-c", step["run"]],
            cwd=repository,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        ran.append(step["name"])
    page = (temporary / "site" / "index.html").read_text(encoding="utf-8")
    assert "majority" in page
    actions = [step["uses"] for step in job["steps"] if "uses" in step and is_meant(step.get("if"), space)]
    if space:
        assert ran[-1] == "Publish the Space"
        assert clients.state.repos["spaces", space].tree("main")["index.html"].data == page.encode()
        assert not any("pages" in action for action in actions)
    else:
        assert ran[-1] == "Write the site"
        (upload,) = [step for step in job["steps"] if "upload-pages" in step.get("uses", "")]
        assert upload["with"]["path"] == "${{ runner.temp }}/site"
        assert actions[-1].startswith("actions/deploy-pages@")


def is_meant(condition: str | None, space: str) -> bool:
    """Tell whether a step is run, by the two conditions that the workflow has."""
    return {None: True, "env.SPACE != ''": bool(space), "env.SPACE == ''": not space}[condition]
