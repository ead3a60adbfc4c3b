"""A release with withheld labels tells them to nobody; its owner scores with them, and proves them later."""

import hashlib
import itertools
import json
import random
import shutil
import stat
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from builder.recipe.recipe_file import read_recipe
from builder.release.publishing.withhold import withhold
from builder.run.pipeline import build
from contract.machine.errors import UserError
from contract.machine.json_text import canonical_json
from contract.machine.progress import Silence
from contract.release.commitments import commitment_of, holds
from contract.release.release import Release
from contract.release.verification import open_and_verify
from contract.schema.records import COLUMNS, hash_of_rows
from contract.schema.results import ModelInfo
from evaluator.predicting.predicting import predict
from evaluator.scoring.score import score

WORDS = ("the", "film", "man", "house", "tree", "walks", "sees", "small", "river", "old", "stone", "green")
N_ROWS = 260
TELLING = (
    "original_text",
    "similarity",
    "source",
    "transfer",
    "annotation",
    "word_modification_rate",
    "method",
)


def build_private(folder: Path, n_samples: int) -> Path:
    """Build a release of made-up texts whose labels are drawn by lot: only a leak can tell them."""
    draw = random.Random(7)
    rows = [
        f"{' '.join(draw.choices(WORDS, k=9))} {number}\t{draw.choice(['no', 'yes'])}"
        for number in range(N_ROWS)
    ]
    (folder / "mine.tsv").write_text("\n".join(["text\tlabel", *rows]) + "\n", encoding="utf-8")
    (folder / "recipe.yaml").write_text(
        'name: mine\nversion: "1"\nmin_samples: 5\n'
        f'tasks: [{{name: mine, source: "file:mine.tsv", samples: {n_samples}, has_public_labels: false}}]\n'
        "dimensions: [{name: typo-general, degrees: [0.1, 0.3]}]\ncases: {rule: 2}\n"
        "surrogates: [word-tfidf]\n",
        encoding="utf-8",
    )
    build(read_recipe(folder / "recipe.yaml"), folder / "release", Silence())
    return folder / "release"


@pytest.fixture(scope="module")
def private_release(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """Return such a release."""
    return build_private(tmp_path_factory.mktemp("private"), 160)


@pytest.fixture(scope="module")
def withheld(private_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the owner's folder after withholding the labels of that release."""
    folder = tmp_path_factory.mktemp("withheld") / "owner"
    withhold(Release.open(private_release), folder, accepts_public_source=False)
    return folder


@pytest.fixture
def private(withheld: Path, tmp_path: Path) -> Path:
    """Return a copy of it that a test may change."""
    return Path(shutil.copytree(withheld, tmp_path / "owner"))


def labels_of(private: Path) -> dict[str, str]:
    """Return the labels that the owner kept."""
    lines = (private / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row["label"] for row in map(json.loads, lines)}


def test_the_public_form_verifies_and_shows_nothing_that_tells_a_label(private: Path) -> None:
    """Null where DESIGN says null, opaque ids, no training rows, hashes of the rows as they are shown."""
    public = Release.open(private / "release")
    assert open_and_verify(public.path, Silence()) == []
    assert public.manifest.labels == "withheld"
    assert not (public.path / "data/mine/train.parquet").exists()
    for split in public.manifest.splits:
        if not split.rows:
            continue
        rows = public.table(split).to_pylist()
        assert {row["label"] for row in rows} == {-1}
        assert all(row[name] is None for row in rows for name in TELLING)
        assert all(row["edits"] == [] and row["surrogate_predictions"] == [] for row in rows)
        assert all(set(row["id"] + row["sample_id"]) <= set("0123456789abcdef") for row in rows)


def test_labels_and_salt_are_the_owners_alone(private: Path) -> None:
    """Nobody else may read the files, and nothing of them is in the public folder."""
    for name in ("labels.jsonl", "salt.txt"):
        assert stat.S_IMODE((private / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    salt = (private / "salt.txt").read_bytes().strip()
    for path in (private / "release").rglob("*"):
        assert path.is_dir() or salt not in path.read_bytes()


def test_the_owner_scores_what_the_open_release_would_score(
    private: Path, private_release: Path, tmp_path: Path
) -> None:
    """The same figures for the same model; without the labels file there is no score."""
    predict(private_release, "majority", tmp_path / "open.jsonl")
    guess = json.loads((tmp_path / "open.jsonl").read_text(encoding="utf-8").splitlines()[0])["prediction"]
    answers = "".join(json.dumps({"id": name, "prediction": guess}) + "\n" for name in labels_of(private))
    (tmp_path / "hidden.jsonl").write_text(answers, encoding="utf-8")
    model = ModelInfo(name="majority")
    shown = score(private_release, tmp_path / "open.jsonl", model)
    hidden = score(
        private / "release", tmp_path / "hidden.jsonl", model, labels_path=private / "labels.jsonl"
    )
    assert shown.overall is not None
    assert hidden.overall is not None
    assert hidden.overall.average.ewma == pytest.approx(shown.overall.average.ewma)
    assert hidden.overall.worst.ewma == pytest.approx(shown.overall.worst.ewma)
    assert hidden.overall.clean == shown.overall.clean
    with pytest.raises(UserError, match="labels are withheld"):
        score(private / "release", tmp_path / "hidden.jsonl", model)


def test_changed_labels_are_refused(private: Path, tmp_path: Path) -> None:
    """The manifest has promised the others."""
    text = (private / "labels.jsonl").read_text(encoding="utf-8")
    (private / "labels.jsonl").write_text(text.replace('"yes"', '"no"', 1), encoding="utf-8")
    assert not holds(private / "labels.jsonl", Release.open(private / "release").manifest)
    answers = "".join(json.dumps({"id": name, "prediction": "no"}) + "\n" for name in labels_of(private))
    (tmp_path / "answers.jsonl").write_text(answers, encoding="utf-8")
    with pytest.raises(UserError, match="not the labels"):
        score(
            private / "release",
            tmp_path / "answers.jsonl",
            ModelInfo(name="x"),
            labels_path=private / "labels.jsonl",
        )


def test_no_column_tells_a_label_better_than_chance(private: Path, private_release: Path) -> None:
    """A forest that sees every column, the row's place and the bytes of ids learns nothing from them."""
    from sklearn.ensemble import RandomForestClassifier

    labels = labels_of(private)
    public = Release.open(private / "release")
    features, answers, groups = [], [], []
    for number, split in enumerate(public.manifest.splits):
        rows = public.table(split).to_pylist() if split.rows else []
        for place, row in enumerate(rows):
            ids = [*bytes.fromhex(row["id"]), *bytes.fromhex(row["sample_id"])]
            others = [row["degree"], row["realised_degree"], row["case"], len(row["text"])]
            features.append([number, place, *ids, *(value or 0 for value in others)])
            answers.append(labels[row["id"]] == "yes")
            groups.append(row["sample_id"])
    samples = sorted(set(groups))
    known = np.isin(groups, samples[::2])
    forest = RandomForestClassifier(n_estimators=60, random_state=0, n_jobs=1)
    forest.fit(np.array(features)[known], np.array(answers)[known])
    guessed = forest.predict(np.array(features)[~known])
    right_by_sample = {}
    for name, is_right in zip(np.array(groups)[~known], guessed == np.array(answers)[~known], strict=True):
        right_by_sample.setdefault(name, []).append(is_right)
    accuracy = np.mean([np.mean(of_sample) for of_sample in right_by_sample.values()])
    # Eighty samples: three standard errors of a coin are 0.17.
    assert 0.33 < accuracy < 0.67


def test_surrogates_cannot_be_had_and_hashes_name_none_of_them(private: Path, private_release: Path) -> None:
    """Neither by name from the cache of the build nor by the hash of their weights."""
    with pytest.raises(UserError, match="is not in"):
        predict(private / "release", "surrogate:word-tfidf", private / "guess.jsonl")
    shown = Release.open(private_release).manifest
    text = (private / "release/manifest.json").read_text(encoding="utf-8")
    for secret in [info.weights_sha256 for info in shown.surrogates] + [
        value for split in shown.splits for value in (split.sha256, split.rows_sha256) if value
    ]:
        assert secret not in text
    assert (shown.tasks[0].source_sha256 or "") not in text


def test_hashes_cannot_be_tried_against_every_possible_labelling(cache: Path, tmp_path: Path) -> None:
    """Six samples have 64 labellings; none is told by a public hash, the right one is by the salt."""
    release = Release.open(build_private(tmp_path, 6))
    private = tmp_path / "owner"
    public = withhold(release, private, accepts_public_source=False)
    hashes = {value for value in json.dumps(public.manifest.to_json()).split('"') if len(value) == 64}
    tables = [public.table(split) for split in public.manifest.splits if split.rows]
    sample_of = {row["id"]: row["sample_id"] for table in tables for row in table.to_pylist()}
    samples = sorted(set(sample_of.values()))
    salt = (private / "salt.txt").read_text(encoding="utf-8").strip()
    # As generous as can be: the attacker knows the order of the lines of the labels file.
    order = list(labels_of(private))
    n_found_with_salt = 0
    for labelling in itertools.product(["no", "yes"], repeat=len(samples)):
        label_of = dict(zip(samples, labelling, strict=True))
        labels = {name: label_of[sample_of[name]] for name in order}
        data = "".join(json.dumps({"id": name, "label": label}) + "\n" for name, label in labels.items())
        tried = {hashlib.sha256(data.encode()).hexdigest(), commitment_of("", data.encode())}
        tried.add(hashlib.sha256(canonical_json(labels).encode()).hexdigest())
        for table in tables:
            column = [["no", "yes"].index(labels[name]) for name in table["id"].to_pylist()]
            place = COLUMNS.index("label")
            tried.add(hash_of_rows(table.set_column(place, table.schema.field("label"), [column])))
        assert not tried & hashes
        n_found_with_salt += commitment_of(salt, data.encode()) in hashes
    assert n_found_with_salt == 1


def test_rows_stand_in_an_order_that_tells_nothing(private: Path, private_release: Path) -> None:
    """Texts of the clean split are in another order than in the source, and the Parquet holds no trace."""
    shown = pq.read_table(private_release / "data/mine/clean.parquet")["text"].to_pylist()
    hidden = pq.read_table(private / "release/data/mine/clean.parquet")["text"].to_pylist()
    assert sorted(shown) == sorted(hidden)
    in_place = sum(one == other for one, other in zip(shown, hidden, strict=True))
    assert in_place < 10


def test_a_public_source_is_refused_unless_it_is_accepted(tiny: Path, tmp_path: Path) -> None:
    """The card then says how little it protects."""
    release = Release.open(tiny)
    with pytest.raises(UserError, match="--accept-public-source"):
        withhold(release, tmp_path / "owner", accepts_public_source=False)
    assert not (tmp_path / "owner").exists()
    public = withhold(release, tmp_path / "owner", accepts_public_source=True)
    card = (public.path / "README.md").read_text(encoding="utf-8")
    assert "The labels of mr are public at their source" in card


def test_a_second_time_gives_the_same_public_form(private: Path, private_release: Path) -> None:
    """So an interrupted publication goes on; the labels of another release are never replaced."""
    before = (private / "release/manifest.json").read_bytes()
    withhold(Release.open(private_release), private, accepts_public_source=False)
    assert (private / "release/manifest.json").read_bytes() == before
    (private / "original.txt").write_text("another\n", encoding="utf-8")
    with pytest.raises(UserError, match="labels of another release"):
        withhold(Release.open(private_release), private, accepts_public_source=False)
