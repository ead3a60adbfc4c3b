"""The command `singleword` and the function of the same name, from file to page."""

import csv
import json
from pathlib import Path
from typing import Any

import joblib
import pytest
from click.testing import CliRunner, Result
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import hardfrost
from contract.schema.single_words import SingleWordReport
from flows.singleword.running import measurements_of

GOOD = ("charming", "delightful", "moving", "brilliant", "tender")
BAD = ("tedious", "clumsy", "hollow", "lifeless", "careless")
PLAIN = ("the", "film", "this", "story", "every", "scene", "ending")
MODULE = """
def predict(texts):
    # Says bad where more than one vowel u stands, so that only some words flip it.
    return [[1.0, 0.0] if text.count("u") > 1 else [0.0, 1.0] for text in texts]
"""


def made_rows(n: int) -> list[tuple[str, str]]:
    """Return texts of five words; those of odd numbers are good."""
    rows = []
    for number in range(n):
        plain = [PLAIN[number * step % 7] for step in (1, 3, 5)]
        telling = (GOOD if number % 2 else BAD)[number // 2 % 5]
        rows.append((f"{plain[0]} {plain[1]} {telling} {plain[2]} {number}", "good" if number % 2 else "bad"))
    return rows


def run(*arguments: str | Path) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(hardfrost.cli, ["singleword", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with rows, a pipeline and words."""
    path = tmp_path_factory.mktemp("singleword")
    for name, n in (("rows", 40), ("train", 60)):
        with (path / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("text", "label"), *made_rows(n)])
    texts, labels = zip(*made_rows(60), strict=True)
    pipeline = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression()).fit(texts, labels)
    joblib.dump(pipeline, path / "model.joblib")
    (path / "words.txt").write_text("charming\nhollow\nfilm\nfuturus\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def done(folder: Path) -> Result:
    """Return what the command prints about a linear model, with training rows."""
    return run(
        f"--model=sklearn:{folder / 'model.joblib'}",
        f"--data={folder / 'rows.csv'}",
        f"--train={folder / 'train.csv'}",
        f"--output={folder / 'out'}",
        "--limit=20",
        "--trust",
        "--attack",
    )


def test_an_attack_with_the_strongest_words_is_written_and_its_refusals_are_counted(
    folder: Path, done: Result
) -> None:
    """Each case differs from its original in one word, and fools the pipeline."""
    assert done.exit_code == 0, done.output
    report = SingleWordReport.read(folder / "out" / "singleword.json")
    assert report.attack is not None
    assert report.test is not None
    assert report.attack.n_attacked == report.test.n_samples
    assert sum(report.attack.n_refused.values()) > 0
    lines = (folder / "out" / "attacks.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == report.attack.n_flipped
    pipeline = joblib.load(folder / "model.joblib")
    for case in map(json.loads, lines):
        pairs = zip(case["original"].split(), case["text"].split(), strict=True)
        assert sum(old != new for old, new in pairs) == 1
        assert pipeline.predict([case["original"]])[0] == case["label"] != pipeline.predict([case["text"]])[0]


def test_a_linear_model_is_measured_exactly_and_its_words_are_named(folder: Path, done: Result) -> None:
    """In table, JSON, list of words and page."""
    assert done.exit_code == 0, done.output
    assert max(map(len, done.stdout.splitlines())) <= 80
    report = SingleWordReport.read(folder / "out" / "singleword.json")
    assert report.search == "sums"
    assert report.is_exact
    assert report.test is not None
    assert report.train is not None
    for own in (report.test, report.train):
        assert own.low <= own.rho <= own.high
        assert own.lower_bound == pytest.approx(own.rho)
        assert own.n_questions == 0
        assert own.n_samples <= 20
    with (folder / "out" / "kappa.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == report.n_words
    mean = sum(float(row["kappa"]) for row in rows) / len(rows)
    assert report.train.rho == pytest.approx(1 - mean, abs=1e-5)
    assert {word.word for word in report.words[:5]} <= {*GOOD, *BAD}
    page = (folder / "out" / "singleword.html").read_text(encoding="utf-8")
    assert report.words[0].word in page
    assert "<script" not in page


def test_effects_compare_texts_with_a_word_and_without_it(folder: Path, done: Result) -> None:
    """The strongest word of the made-up rows decides those that hold it."""
    assert done.exit_code == 0
    report = SingleWordReport.read(folder / "out" / "singleword.json")
    effect = report.effects[0]
    assert effect.n_with > 0
    assert effect.accuracy_with is not None
    assert effect.accuracy_without is not None
    assert effect.accuracy_attacked is not None
    assert effect.accuracy_attacked < effect.accuracy_without
    assert sum(report.parts_of_speech.values()) == sum(word.kappa > 0 for word in report.words)


def test_brute_force_says_the_same_as_sums(folder: Path) -> None:
    """From Python, with a function in the place of the pipeline: nothing is known of its inside."""
    pipeline = joblib.load(folder / "model.joblib")
    texts, labels = zip(*made_rows(16), strict=True)

    def asked(given: list[str]) -> Any:
        return pipeline.predict_proba(given)

    options: dict[str, Any] = {
        "vocabulary": folder / "words.txt",
        "label_names": ["bad", "good"],
        "limit": 12,
    }
    exact = hardfrost.singleword(asked, list(texts), list(labels), exact=True, **options)
    linear = hardfrost.singleword(pipeline, list(texts), list(labels), **options)
    assert exact.report.search == "brute-force"
    assert linear.report.search == "sums"
    assert exact.kappa == linear.kappa
    assert exact.rho_star == linear.rho_star
    assert exact.rho is None
    assert exact.report.test is not None
    assert exact.report.test.n_questions > 0
    assert "futurus" in exact.kappa


def test_a_function_is_asked_about_words_drawn_at_random_and_the_figures_say_so(
    folder: Path, tmp_path: Path
) -> None:
    """No more than it may be asked."""
    (tmp_path / "mine.py").write_text(MODULE, encoding="utf-8")
    words = [f"w{'ue'[n % 2]}{'ue'[n % 3 == 0]}{chr(97 + n)}" for n in range(20)]
    (tmp_path / "words.txt").write_text("\n".join(words), encoding="utf-8")
    rows = [("bad u u story", "bad"), ("good film", "good"), ("u u", "bad"), ("the film", "good")] * 2
    with (tmp_path / "rows.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [("text", "label"), *((f"{text} {n}", label) for n, (text, label) in enumerate(rows))]
        )
    printed = run(
        f"--model=python:{tmp_path / 'mine.py'}:predict",
        f"--data={tmp_path / 'rows.csv'}",
        f"--vocabulary={tmp_path / 'words.txt'}",
        f"--output={tmp_path / 'out'}",
        "--max-questions=100",
        "--labels=bad,good",
        "--text=text",
        "--label=label",
        "--json",
    )
    assert printed.exit_code == 0, printed.output
    report = json.loads(printed.stdout)
    assert report["search"] == "sampled"
    assert 0 < report["test"]["n_questions"] <= 100
    assert 0 < report["test"]["n_words"] < 20
    assert "estimate" in SingleWordReport.parse(report, "stdout").meaning


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("--m=0", "--m 0: expected a whole number"),
        ("--m=many", "expected a whole number"),
        ("--vocabulary=nowhere.txt", "nowhere.txt: there is no such file"),
        ("--result=nowhere.json", "nowhere.json: there is no such file"),
    ],
)
def test_a_wrong_option_is_said_in_a_sentence(
    folder: Path, option: str, expected: str, tmp_path: Path
) -> None:
    """And nothing is written."""
    out = tmp_path / "out"
    printed = run(
        f"--model=sklearn:{folder / 'model.joblib'}",
        f"--data={folder / 'rows.csv'}",
        "--trust",
        f"--output={out}",
        option,
    )
    assert printed.exit_code != 0
    assert expected in str(printed.exception)
    assert not out.exists()


def test_a_vocabulary_of_other_things_than_words_is_refused(folder: Path, tmp_path: Path) -> None:
    """With the line."""
    (tmp_path / "words.txt").write_text("good\nnot-a-word\n", encoding="utf-8")
    printed = run(
        f"--model=sklearn:{folder / 'model.joblib'}",
        f"--data={folder / 'rows.csv'}",
        "--trust",
        f"--vocabulary={tmp_path / 'words.txt'}",
        f"--output={tmp_path / 'out'}",
    )
    assert "words.txt:2: 'not-a-word' is not a word" in str(printed.exception)


def test_figures_can_stand_among_the_measurements_of_a_result(folder: Path, done: Result) -> None:
    """By the names that leaderboards show."""
    assert done.exit_code == 0
    report = SingleWordReport.read(folder / "out" / "singleword.json")
    assert report.train is not None
    assert report.test is not None
    assert measurements_of(report) == {
        "single-word rho": report.train.rho,
        "single-word rho*": report.test.rho,
        "single-word highest kappa": report.words[0].kappa,
    }
