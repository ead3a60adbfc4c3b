"""The table of where a build's time goes is made of its own log, and other rows are noticed."""

from pathlib import Path

from benchmarks.build import BEGIN, END, differing, where_time_goes, written_into
from contract.release.release import Release
from contract.schema.timings import LOG, Timing, read_timings


def test_time_stands_by_stage_dimension_and_model(tiny: Path) -> None:
    """Of a finished build."""
    text = "\n".join(where_time_goes(None, read_timings(tiny / LOG)))
    assert "| stage | seconds | share |" in text
    assert "| perturb |" in text
    assert "perturb typo-malicious rule" in text
    assert "word-tfidf, surrogates" in text


def test_a_log_of_older_code_has_its_time_in_models_too() -> None:
    """It tells training and questions, not which model was asked."""
    before = [
        Timing(stage="surrogates", title="cnn of mr", seconds=10.0, task="mr"),
        Timing(
            stage="vote", title="a unit", seconds=8.0, dimension="syntax", setting="rule", model_seconds=6
        ),
    ]
    after = [
        Timing(stage="surrogates", title="cnn of mr", seconds=5.0, seconds_by_model={"cnn": 5.0}),
        Timing(stage="vote", title="a unit", seconds=4.0, dimension="syntax", setting="rule"),
    ]
    lines = list(where_time_goes(before, after))
    assert "| surrogates | 10.0 | 5.0 | 0.50 |" in lines
    assert "| vote syntax rule | 8.0 | 4.0 | 0.50 |" in lines
    assert "| cnn, surrogates | 10.0 | 5.0 | 0.50 |" in lines
    assert "| any, vote | 6.0 | 0.0 | 0.00 |" in lines


def test_splits_with_other_rows_are_named(tiny: Path) -> None:
    """A build that is faster and makes something else is no gain."""
    manifest = Release.open(tiny).manifest
    changed = manifest.splits[0].model_copy(update={"rows_sha256": "0" * 64})
    other = manifest.model_copy(update={"splits": [changed, *manifest.splits[1:-1]]})
    assert differing(manifest, manifest) == []
    assert differing(manifest, other) == [manifest.splits[0].path, manifest.splits[-1].path]


def test_tables_are_written_between_their_marks() -> None:
    """And nowhere else."""
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert written_into(page, ["new"]) == f"before\n{BEGIN}\nnew\n{END}\nafter\n"
