"""Results without clean predictions stand on a leaderboard like any other, without a clean figure."""

import json
from pathlib import Path
from typing import Any

from read_pages import pages_of

from builder.importing.advglue import import_advglue
from contract.results import ModelInfo
from evaluator.scoring import ScoreOptions, score
from leaderboard.collecting import collect
from leaderboard.downloads import figures_of
from leaderboard.site import write_site


def test_a_release_without_originals_has_a_leaderboard(
    advglue_document: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    """AdvGLUE's plain file: both models are ranked, the clean column is empty, no page says `None`."""
    for row in (row for rows in advglue_document.values() for row in rows):
        for key in [key for key in row if key.startswith("original_")]:
            del row[key]
    (tmp_path / "dev.json").write_text(json.dumps(advglue_document), encoding="utf-8")
    import_advglue(tmp_path / "dev.json", tmp_path / "release")
    for name, label in (("always-0", 0), ("always-1", 1)):
        answers = {task: [label] * len(rows) for task, rows in advglue_document.items()}
        (tmp_path / "p.json").write_text(json.dumps(answers), encoding="utf-8")
        result = score(
            tmp_path / "release",
            tmp_path / "p.json",
            ModelInfo(name=name, organisation="o", revision="1"),
            options=ScoreOptions(resamples=20),
        )
        result.write(tmp_path / "results" / f"o__{name}" / "1" / "result.json")
    leaderboard = collect(tmp_path / "results", release_dir=tmp_path / "release")
    assert [entry.status for entry in leaderboard.entries] == ["ranked", "ranked"]
    assert "clean" not in figures_of(leaderboard)["dimension"].to_pylist()
    write_site(leaderboard, tmp_path / "site", release_dir=tmp_path / "release")
    pages = pages_of(tmp_path / "site")
    model = next(page.source for path, page in pages.items() if path.startswith("models/"))
    assert "without clean predictions" in model
    assert "advglue/average" in model
    assert not [path for path, page in pages.items() if ">None<" in page.source]
