"""The GitHub Action of this repository runs the command with what its inputs say."""

import os
import subprocess
from pathlib import Path

import yaml

ACTION = Path(__file__).parents[3] / "action.yml"
STUB = '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 1\n'


def test_the_action_passes_its_inputs_on_and_fails_as_the_command_does(tmp_path: Path) -> None:
    """Its script runs as it is shipped; a stub in place of the command prints the arguments."""
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    (step,) = [step for step in action["runs"]["steps"] if step["name"] == "Audit"]
    stub = tmp_path / "hardfrost"
    stub.write_text(STUB, encoding="utf-8")
    stub.chmod(0o755)
    inputs = {
        "model": "sklearn:my model.skops",
        "data": "rows.csv",
        "fail-under": "0.6\ntoxic:typo-malicious@0.1=0.5\n",
        "time-budget": "5m",
        "options": "--positive=toxic\n",
        "output": "out",
    }
    values = {
        name: inputs[text.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, text in step["env"].items()
    }
    summary = tmp_path / "summary.md"
    environment = {
        **os.environ,
        **values,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stdout.splitlines() == [
        "audit",
        "--model",
        "sklearn:my model.skops",
        "--data",
        "rows.csv",
        "-o",
        "out",
        "--time-budget",
        "5m",
        "--junit",
        "out/junit.xml",
        "--fail-under",
        "0.6",
        "--fail-under",
        "toxic:typo-malicious@0.1=0.5",
        "--positive=toxic",
    ]
    assert summary.read_text(encoding="utf-8") == ran.stdout
    known = set(action["inputs"])
    used = {text for step in action["runs"]["steps"] for text in step.get("env", {}).values()}
    assert {text.split(".")[1].removesuffix(" }}") for text in used if "inputs." in text} <= known
