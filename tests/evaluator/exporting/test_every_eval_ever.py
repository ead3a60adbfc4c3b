"""Results as records of Every Eval Ever: what its schema asks for, with the figures of the result."""

import json
from pathlib import Path

from click.testing import CliRunner

import hardfrost

# The keys that version 0.2.1 of the schema requires, and those that it allows beside.
REQUIRED = {
    "schema_version",
    "evaluation_id",
    "retrieved_timestamp",
    "source_metadata",
    "model_info",
    "eval_library",
    "evaluation_results",
}


def test_a_record_has_what_the_schema_asks_for_and_the_figures_of_the_result(
    tiny: Path, tmp_path: Path
) -> None:
    """The same result and time give the same file; names of submitters stay in their folder."""
    score = hardfrost.score(
        tiny,
        hardfrost.predict(tiny, "vader"),
        name="../va/der",
        about={"organisation": "me", "n_parameters": 7},
        resamples=20,
        out=tmp_path / "result.json",
    )
    command = ["export", "every-eval-ever", str(tmp_path / "result.json"), "--source", "Frost Lab"]
    options = ["--dataset", "frost/mr", "--timestamp", "1700000000", "--json"]
    folders = [tmp_path / "one", tmp_path / "two"]
    files = []
    for folder in folders:
        done = CliRunner().invoke(hardfrost.cli, [*command, "-o", str(folder), *options])
        assert done.exit_code == 0, done.output
        files += [Path(name) for name in json.loads(done.stdout)["files"]]
    first, second = (path.relative_to(folder) for path, folder in zip(files, folders, strict=True))
    assert first == second
    assert files[0].parent == folders[0] / "data" / "mr-tiny" / "me" / "-va-der"
    record = json.loads(files[0].read_text(encoding="utf-8"))
    assert set(record) == REQUIRED
    assert record["evaluation_id"] == "mr-tiny/me/../va/der/1700000000"
    assert {"name", "id"} <= set(record["model_info"])
    assert record["model_info"]["additional_details"] == {"n_parameters": "7"}
    assert record["source_metadata"]["source_type"] == "evaluation_run"
    for entry in record["evaluation_results"]:
        assert {"evaluation_name", "source_data", "metric_config", "score_details"} == set(entry)
        assert entry["source_data"]["hf_repo"] == "frost/mr"
        assert all(isinstance(value, str) for value in entry["source_data"]["additional_details"].values())
        assert entry["metric_config"]["lower_is_better"] is False
        assert {"min_score", "max_score"} <= set(entry["metric_config"])
    by_name = {entry["evaluation_name"]: entry["score_details"] for entry in record["evaluation_results"]}
    assert by_name["overall/average"]["score"] == score.average
    cell = score.result.tasks["mr"].dimensions["typo-general"]["rule"]
    assert cell.worst is not None
    assert cell.worst.ci is not None
    found = by_name["mr/typo-general/rule/worst"]
    assert found["score"] == cell.worst.ewma
    interval = found["uncertainty"]["confidence_interval"]
    assert (interval["lower"], interval["upper"]) == cell.worst.ci
