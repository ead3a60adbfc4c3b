"""Hardfrost from Python: the same figures as the commands, from values as well as from files."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import hardfrost

ROOT = Path(hardfrost.__file__).parent
HEAVY = {"click", "numpy", "pandas", "pyarrow", "pydantic", "sklearn", "torch"}


def contrary(texts: list[str]) -> list[str]:
    """Return a label by the length of each text."""
    return ["positive" if len(text) % 2 else "negative" for text in texts]


def test_the_module_shows_its_api_and_imports_nothing_heavy() -> None:
    """What `dir` lists is what `__all__` names, and each of them is there."""
    code = (
        "import sys, hardfrost\n"
        "print(*dir(hardfrost)); print(hardfrost.__version__); print(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    shown, version, imported = done.stdout.splitlines()
    assert shown.split() == sorted(hardfrost.__all__)
    assert version == hardfrost.__version__
    assert not HEAVY & set(imported.split())
    assert all(hasattr(hardfrost, name) for name in hardfrost.__all__)
    assert not hasattr(hardfrost, "nothing")


def test_a_release_is_one_table_and_many_data_sets(tiny: Path) -> None:
    """Every clean row and case once, with the names of labels; data sets as the Hub has them."""
    release = hardfrost.load(str(tiny))
    frame = release.to_pandas()
    n_rows = sum(split.rows for split in release.manifest.splits if split.dimension != "train")
    assert len(frame) == len(release) == n_rows == frame["id"].nunique()
    assert set(frame["label_name"]) == set(release.labels()) == {"negative", "positive"}
    assert set(frame["dimension"]) == {"clean", *release.dimensions}
    assert repr(release).startswith("<release mr-tiny 2.0: mr; 2 dimensions, ")
    assert "typo-general" in release._repr_html_()
    assert release.verify() == []
    clean = release.datasets["mr__clean"]["test"]
    assert clean.features["label"].names == ["negative", "positive"]
    assert clean["text"][:] == frame[frame["dimension"] == "clean"]["text"].tolist()
    with pytest.raises(hardfrost.UserError, match="did you mean 'mr__clean'"):
        release.datasets["mr__claen"]
    with pytest.raises(hardfrost.UserError, match="not a release"):
        hardfrost.load(tiny / "data")


def test_a_release_is_loaded_from_an_archive(tiny: Path, tmp_path: Path) -> None:
    """Into a folder that lasts as long as the value."""
    archive = tmp_path / "tiny.tar.gz"
    packed = CliRunner().invoke(hardfrost.cli, ["pack", str(tiny), "-o", str(archive)])
    assert packed.exit_code == 0, packed.output
    release = hardfrost.load(archive)
    assert release.manifest == hardfrost.load(tiny).manifest
    folder = release.path
    del release
    assert not folder.exists()


def test_a_recipe_is_built_from_a_name_or_a_mapping(tiny: Path, tmp_path: Path) -> None:
    """The units are those of the first build, so nothing is made anew."""
    again = hardfrost.build("tiny", tmp_path / "again")
    assert again.manifest == hardfrost.load(tiny).manifest
    keys = {
        "name": "mine",
        "version": "1",
        "tasks": [{"name": "mr", "source": "mr", "samples": 20, "train_rows": 400}],
        "dimensions": [{"name": "typo-general", "degrees": [0.2]}],
    }
    assert hardfrost.build(keys, tmp_path / "mine").dimensions == ("typo-general",)
    with pytest.raises(hardfrost.UserError, match="dimensionz"):
        hardfrost.build({**keys, "dimensionz": []}, tmp_path / "no")


def test_scores_from_python_are_those_of_the_command_line(tiny: Path, tmp_path: Path) -> None:
    """The same spec, predicted and scored in both ways, gives the same figures."""
    for command in (
        ["predict", tiny, "--model", "vader", "-o", tmp_path / "vader.jsonl"],
        ["score", tiny, tmp_path / "vader.jsonl", "--model-name", "vader", "-o", tmp_path / "vader.json"],
    ):
        assert CliRunner().invoke(hardfrost.cli, [str(word) for word in command]).exit_code == 0
    by_command = json.loads((tmp_path / "vader.json").read_text(encoding="utf-8"))
    score = hardfrost.score(tiny, hardfrost.predict(tiny, "vader"), out=tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text(encoding="utf-8")) == by_command
    assert score.average == by_command["overall"]["average"]["ewma"]
    robustness = by_command["overall"]["worst"]["ewma"]
    assert score.robustness == robustness
    assert f"robustness {100 * robustness:.1f}, average {100 * score.average:.1f}" in repr(score)
    with pytest.raises(hardfrost.UserError, match="not that of an audit"):
        _ = score.report_path


def test_predictions_of_every_form_score_the_same(tiny: Path, tmp_path: Path) -> None:
    """A file, a value, a mapping, a data frame, labels, indices and probabilities."""
    release = hardfrost.load(tiny)
    texts = release.table["text"].to_pylist()
    labels = contrary(texts)
    indices = np.array([release.labels().index(label) for label in labels])
    ids = release.table["id"].to_pylist()
    predicted = hardfrost.predict(release, contrary, tmp_path / "p.jsonl")
    frame = predicted.to_pandas()
    forms = [
        predicted,
        str(tmp_path / "p.jsonl"),
        dict(zip(ids, labels, strict=True)),
        frame,
        labels,
        indices,
        np.eye(2)[indices],
    ]
    scores = [hardfrost.score(release, form, name="contrary", resamples=20) for form in forms]
    figures = [score.result.model_dump(exclude={"predictions"}) for score in scores]
    assert all(figure["overall"] == figures[0]["overall"] for figure in figures)
    assert figures[0] == figures[1] == figures[3]
    with pytest.raises(hardfrost.UserError, match="one for each row"):
        hardfrost.score(release, labels[:-1])
    with pytest.raises(hardfrost.UserError, match="no column 'prediction'"):
        hardfrost.score(release, frame[["id"]])


def test_models_are_functions_or_estimators(tiny: Path) -> None:
    """A classifier with names of labels, one with indices, one without probabilities, and a wrong one."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    release = hardfrost.load(tiny)
    train = release.datasets["mr__train"]["train"]
    names = [release.labels()[label] for label in train["label"]]
    by_name = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(train["text"][:], names)
    by_index = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(train["text"][:], train["label"][:])
    sure = make_pipeline(TfidfVectorizer(), LinearSVC()).fit(train["text"][:], names)
    first, second = (hardfrost.predict(release, model).to_pandas() for model in (by_name, by_index))
    assert first["prediction"].tolist() == second["prediction"].tolist()
    texts = release.table["text"].to_pylist()
    assert first["prediction"].tolist() == by_name.predict(texts).tolist()
    np.testing.assert_allclose(first["probabilities"].tolist(), by_name.predict_proba(texts), atol=1e-6)
    assert hardfrost.predict(release, sure).to_pandas()["prediction"].tolist() == sure.predict(texts).tolist()
    with pytest.raises(hardfrost.UserError, match="answered 'good'; expected for each text a label"):
        hardfrost.predict(release, lambda texts: ["good"] * len(texts))
    with pytest.raises(hardfrost.UserError, match="gave 1 answers"):
        hardfrost.predict(release, lambda texts: ["positive"])
    with pytest.raises(TypeError, match="expected a spec, a function"):
        hardfrost.predict(release, 7)  # type: ignore[arg-type]
    # The registry is as it was.
    with pytest.raises(hardfrost.UserError, match="unknown classifier"):
        hardfrost.predict(release, "given")


def test_results_become_tables_plots_and_html(tiny: Path, tmp_path: Path) -> None:
    """Figures of the tables are those of the result; a radar needs three dimensions."""
    score = hardfrost.score(tiny, hardfrost.predict(tiny, "vader"), resamples=50)
    other = hardfrost.score(tiny, hardfrost.predict(tiny, contrary), resamples=50)
    frame = score.to_pandas()
    cell = score.result.tasks["mr"].dimensions["typo-general"]["rule"]
    of_cell = frame[(frame["dimension"] == "typo-general") & (frame["setting"] == "rule")]
    by_degree = of_cell[of_cell["degree"].notna()].set_index("degree")["average"].to_dict()
    assert by_degree == {key: value.average for key, value in cell.degrees.items()}
    assert "typo-general" in score._repr_html_()
    figure = score.plot()
    titles = [axis.get_title() for axis in figure.axes if axis.get_visible()]
    assert titles == ["mr: typo-malicious", "mr: typo-general"]
    (line, _) = figure.axes[1].get_lines()
    clean = score.result.tasks["mr"].clean
    assert clean is not None
    assert line.get_ydata().tolist() == [clean.score, *by_degree.values()]
    with pytest.raises(hardfrost.UserError, match="a radar needs 3 dimensions"):
        score.plot("radar")
    with pytest.raises(hardfrost.UserError, match="no score in the setting 'gradient'"):
        score.plot(setting="gradient")
    board = hardfrost.leaderboard([score, other], release=tiny, out=tmp_path / "board.json")
    assert board.to_pandas()["model"].tolist()[0] == "vader"
    assert len(board.figures()) > len(frame)
    assert "vader" in board._repr_html_()
    page = hardfrost.site(board, tmp_path / "site", releases=tiny)
    assert hardfrost.site(tmp_path / "board.json", tmp_path / "again", releases=[tiny]).is_file()
    assert "vader" in page.read_text(encoding="utf-8")
    score.write(tmp_path / "results" / "vader.json")
    assert len(hardfrost.leaderboard(tmp_path / "results")) == 1


def test_a_comparison_names_both_models(tiny: Path) -> None:
    """First less second, as the command has it."""
    first, second = hardfrost.predict(tiny, "vader"), hardfrost.predict(tiny, contrary)
    compared = hardfrost.compare(tiny, first, second, resamples=50)
    assert repr(compared).startswith("<vader against contrary: ")
    frame = compared.to_pandas()
    assert (frame["first"] - frame["second"] - frame["difference"]).abs().max() < 1e-5
    assert (frame["low"] <= frame["high"]).all()
    assert "vader against contrary" in compared._repr_html_()


def test_texts_are_perturbed_to_the_degree_and_the_same_each_time() -> None:
    """Whatever stands around them; a text that is too short stays as it is."""
    text = "the film is a delight from start to finish and everybody should see it"
    alone = hardfrost.perturb([text], "typo-general", 0.2, seed=3)
    more = hardfrost.perturb(["bad", text, text], "typo-general", 0.2, seed=3)
    assert alone[0] == more[1] != more[2]
    assert more.is_changed == [False, True, True]
    assert more[0] == "bad"
    changed = sum(one != other for one, other in zip(text.split(), alone[0].split(), strict=True))
    # 14 words; a fifth of them, rounded up.
    assert changed == 3
    assert hardfrost.perturb([text], "typo-general", 0.2, seed=4)[0] != alone[0]
    assert more.to_pandas()["realised_degree"].tolist()[1] == pytest.approx(3 / 14)
    assert "<ins>" in more._repr_html_()
    with pytest.raises(hardfrost.UserError, match="did you mean 'typo-general'"):
        hardfrost.perturb([text], "typo-genera", 0.2)
    with pytest.raises(hardfrost.UserError, match="degree 2: expected a number above 0"):
        hardfrost.perturb([text], "typo-general", 2)
    with pytest.raises(TypeError, match="expected a list of texts"):
        hardfrost.perturb(text, "typo-general", 0.2)


def test_what_a_text_says_is_never_markup() -> None:
    """Texts of strangers are shown in notebooks."""
    text = "<script>alert(1)</script> is a long enough text to carry one typo at least"
    assert "<script>" not in hardfrost.perturb([text], "typo-general", 0.2)._repr_html_()
