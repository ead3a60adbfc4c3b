"""The page's scripts against the evaluator: the same figures, the same complaints in the same words."""

import gzip
import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scored_in_node import NEEDS_NODE, board_of, score_in_node, scripts_of
from synthetic import Case, SyntheticTask, right_answers, write_answers, write_release, write_small_release

from contract.machine.errors import UserError
from contract.predictions.reading import ReleaseRows, read_predictions
from contract.release.release import Release
from contract.release.split_selector import SplitSelector, left_out_of, write_partial
from contract.schema.results import ModelInfo, ScoreSettings
from evaluator.metrics import METRICS
from evaluator.scoring.score import ScoreOptions, score

pytestmark = NEEDS_NODE
LABELS = ("negative", "neutral", "positive")
GOOD = {"id": "mr-00000.clean", "prediction": "negative"}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the scripts of the page."""
    return scripts_of(tmp_path_factory.mktemp("page"))


@st.composite
def _tasks(draw: st.DrawFn) -> list[SyntheticTask]:
    """Return one or two tasks with cases anywhere, with and without degrees, perhaps lacking originals."""
    tasks = []
    for name in draw(st.sampled_from([("a",), ("a", "constructor")])):
        n_samples, n_labels = draw(st.integers(1, 6)), draw(st.integers(2, 3))
        cells = st.tuples(
            st.integers(0, n_samples - 1),
            st.one_of(
                st.tuples(
                    st.sampled_from(["glyph-general", "typo-malicious"]),
                    st.sampled_from(["rule", "score"]),
                    st.sampled_from([0.05, 0.1, 0.6]),
                ),
                st.just(("human", "imported", None)),
            ),
        )
        counts = draw(st.dictionaries(cells, st.integers(1, 3), max_size=14))
        cases = tuple(
            Case(sample=sample, dimension=dimension, setting=setting, degree=degree, case=case)
            for (sample, (dimension, setting, degree)), n_cases in counts.items()
            for case in range(n_cases)
        )
        clean = tuple(draw(st.lists(st.integers(0, n_labels - 1), min_size=n_samples, max_size=n_samples)))
        originals = draw(st.one_of(st.none(), st.just(tuple(range(1, n_samples)))))
        empty = draw(st.sampled_from([(), (("glyph-general", "rule", 0.05), ("syntax", "rule", 0.2))]))
        tasks.append(
            SyntheticTask(
                name=name,
                labels=LABELS[:n_labels],
                clean=clean,
                cases=cases,
                originals=originals,
                empty=empty,
            )
        )
    return tasks


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_figure_equals_that_of_the_evaluator(scripts: list[Path], data: st.DataObject) -> None:
    """Random releases, answers, formats and parts left out; whatever the page says, the result says too."""
    tasks = data.draw(_tasks())
    # A release without any row has nothing to score.
    assume(any(task.cases or task.originals != () for task in tasks))
    options = ScoreOptions(
        resamples=0,
        beta=data.draw(st.sampled_from([0.5, 0.3])),
        ewma_start=data.draw(st.sampled_from(["first", "zero"])),
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r"
        min_samples = data.draw(st.integers(0, 3))
        write_release(path, tasks, min_samples=min_samples)
        random = Random(data.draw(st.integers(0, 10**6)))
        left_out = data.draw(st.sampled_from(["nothing", "typo-malicious.score", "human"]))
        answers = {
            name: answer if random.random() < 0.7 else random.choice(LABELS[:2])
            for name, answer in right_answers(path).items()
            if left_out not in name
        }
        if data.draw(st.booleans()):
            answers = {name: LABELS.index(answer) for name, answer in answers.items()}
        file = write_answers(Path(folder) / data.draw(st.sampled_from(["p.jsonl", "p.csv"])), answers)
        shared = ScoreSettings(min_samples=min_samples, beta=options.beta, ewma_start=options.ewma_start)
        (found,) = score_in_node(scripts, path, [file], shared)["answers"]
        complaints = _complaints(path, file)
        assert found["problems"] == complaints
        if complaints:
            return
        result = score(path, file, ModelInfo(name="model"), options=options)
        entries = [entry.result.overall for entry in board_of(path, shared).entries]
    own = result.overall
    # By worst, which ranks, whatever the averages are.
    assert found["place"] == (own and 1 + sum(one.worst.ewma > own.worst.ewma for one in entries if one))
    assert found["n_rows"] == result.predictions.rows
    assert _cells_of(found["scores"]) == _cells_of(result.to_json())
    _assert_in(found["scores"], result.to_json())
    # The page has no draws: it looks at the point, not at the interval.
    clean = [task.clean for task in result.tasks.values() if task.clean is not None]
    assert found["has_skill"] == all(each.balanced > 1 / len(each.recall) + 1e-9 for each in clean)


def test_the_page_computes_a_metric_or_names_it(scripts: list[Path], tmp_path: Path) -> None:
    """What it does not name stands among its figures."""
    path = write_small_release(tmp_path / "r")
    file = write_answers(tmp_path / "p.jsonl", right_answers(path))
    answer = score_in_node(scripts, path, [file], metrics=[metric.info for metric in METRICS.values()])
    missing = {metric["key"] for metric in answer["not_computed"]}
    assert {"attack_success_rate", "f1", "auroc", "worst_at_k"} < missing
    degrees = answer["answers"][0]["scores"]["tasks"]["mr"]["dimensions"]["typo-general"]["rule"]["degrees"]
    computed = {metric.key for metric in METRICS.values() if "degree" in metric.scopes} - missing
    assert computed == {"average", "worst", "accuracy_cases"}
    assert missing.isdisjoint({"clean_score", "clean_accuracy", "balanced_accuracy"})
    assert computed < degrees["0.1"].keys()
    assert missing.isdisjoint(degrees["0.1"])


def test_of_a_release_in_part_the_rest_is_absent(scripts: list[Path], tmp_path: Path) -> None:
    """As `hardfrost score` has it: the same figures for what is there, no overall score."""
    path = write_small_release(tmp_path / "r")
    answers = right_answers(path)
    write_partial(path, Release.open(path).manifest, [SplitSelector.parse("mr,typo-general")])
    for name in left_out_of(path):
        (path / name).unlink()
    file = write_answers(tmp_path / "p.jsonl", answers | dict.fromkeys(list(answers)[::3], "negative"))
    (found,) = score_in_node(scripts, path, [file])["answers"]
    result = score(path, file, ModelInfo(name="model"), options=ScoreOptions(resamples=0))
    assert found["scores"]["absent"] == ["mr/typo-malicious/rule"]
    assert found["scores"]["overall"] is None
    _assert_in(found["scores"], result.to_json())


def _cells_of(scores: Mapping[str, Any]) -> dict[str, dict[str, set[str]]]:
    """Return which settings of which dimensions of which tasks are spoken of."""
    return {
        task: {dimension: set(settings) for dimension, settings in score["dimensions"].items()}
        for task, score in scores["tasks"].items()
    }


def _assert_in(figures: Any, result: Any, where: str = "") -> None:
    """Check that every figure stands in the result, to a billionth."""
    if isinstance(figures, Mapping):
        for name, value in figures.items():
            _assert_in(value, result[name], f"{where}/{name}")
    elif isinstance(figures, float) or isinstance(result, float):
        assert abs(figures - result) <= 1e-9, where
    else:
        assert figures == result, where


def _complaints(release_path: Path, file: Path) -> list[str]:
    """Return what `hardfrost check` says, with the file's name alone as the page has it."""
    rows = ReleaseRows.read(Release.open(release_path))
    try:
        read_predictions(file, rows)
    except UserError as error:
        return [line.replace(str(file), file.name) for line in error.message.split("\n")]
    return []


BAD: dict[str, bytes] = {
    "near.jsonl": b'{"id": "mr-00000.claen", "prediction": 0}\n',
    "twice.csv": b"id,prediction\nmr-00000.clean,0\nmr-00000.clean,1\n",
    "label.csv": b"id,prediction\nmr-00000.clean,postive\nmr-00001.clean,2\n",
    "floats.csv": b"id,prediction\nmr-00000.clean,2.0\nmr-00001.clean,0.5\nmr-00002.clean,1.00x\n",
    "nan.jsonl": b'{"id": "mr-00000.clean", "prediction": NaN}\n',
    "nothing.csv": b"id,prediction\n",
    "empty.jsonl": b"",
    "unfilled.csv": b"id,prediction\nmr-00000.clean,\n",
    "other.jsonl": json.dumps(GOOD | {"benchmark": "synthetic@2"}).encode(),
    "broken.jsonl": b'{"id": "mr-00000.clean", "prediction"\n[1, 2.0, null]\n{"id": 7, "prediction": 1}\n',
    "binary.jsonl": bytes(range(256)) * 4,
    "binary.csv": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "text.csv": b"hello\nworld\n",
    "heads.csv": b"ids,predictoin,id,id\n1,2,3,4\n",
    "quote.csv": b'id,prediction\n"mr-00000.clean,0\n',
    "fields.csv": b'id,prediction\na,b,c\n\n"a\nb"x,1\n',
    "key.jsonl": b'{"id": "mr-00000.clean", "id": "mr-00001.clean", "prediction": 1}',
    "values.jsonl": b'{"id": "mr-00000.clean", "prediction": {"a": [1e-7, true, 1e22, "\\ud800"]}}\n'
    b'{"id": "it\'s \\"\\u202e\\n", "prediction": 99999999999999999999999}\n',
    "lists.jsonl": b'{"id": "mr-00000.clean", "prediction": 0, "probabilities": [0.5, 0.1]}\n'
    b'{"id": "mr-00001.clean", "prediction": 0}\n'
    b'{"id": "mr-00002.clean", "prediction": 0, "probabilities": 1}',
    "hostile.csv": b"id,prediction\n<img src=x onerror=alert(1)>,<script>alert(1)</script>\n",
    "deep.jsonl": b"[" * 100_000,
    "line.jsonl": b"x" * ((1 << 20) + 1),
    "noise.jsonl": b"!\n" * 1_200,
}


def test_every_problem_is_told_in_the_words_of_the_command_line(scripts: list[Path], tmp_path: Path) -> None:
    """Line, id, nearest id and remedy, all problems together."""
    path = write_small_release(tmp_path / "r")
    files = [tmp_path / name for name in BAD]
    for file in files:
        file.write_bytes(BAD[file.name])
    found = score_in_node(scripts, path, files)["answers"]
    for file, answer in zip(files, found, strict=True):
        assert answer["problems"] == _complaints(path, file), file.name
        assert answer["scores"] is None
    near = "near.jsonl:1: unknown id 'mr-00000.claen'; did you mean 'mr-00000.clean'?"
    assert any(line.startswith(near) for line in found[0]["problems"])


def test_files_that_are_good_in_odd_ways_are_read(scripts: list[Path], tmp_path: Path) -> None:
    """A byte order mark, Windows line ends, blank lines, more columns, newlines in quotes, whole floats."""
    path = write_small_release(tmp_path / "r")
    answers = right_answers(path)
    rows = [(name, answer) for name, answer in answers.items()]
    texts = {
        "mark.jsonl": "\ufeff" + "".join(json.dumps({"id": n, "prediction": a}) + "\r\n\n" for n, a in rows),
        "floats.jsonl": "".join(
            json.dumps({"id": n, "prediction": float(LABELS[::2].index(a)), "x": {}}) + "\n" for n, a in rows
        ),
        "floats.csv": "id,prediction\n" + "".join(f"{n},{LABELS[::2].index(a)}.0\n" for n, a in rows),
        "mark.csv": "\ufeffnote,prediction,id\r\n"
        + "".join(f'"a ""quoted"" note,\nover lines",{a},"{n}"\r\n\r\n' for n, a in rows),
        "lists.csv": "id,prediction,probabilities,benchmark\n"
        + "".join(f'{n},{a},"[0.5, 0.499]",synthetic@1.0.0\n' for n, a in rows),
        "end.csv": "id,prediction\n" + "\n".join(f"{n},{a}" for n, a in reversed(rows)),
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode())
    files = [tmp_path / name for name in texts]
    for file, answer in zip(files, score_in_node(scripts, path, files)["answers"], strict=True):
        assert (_complaints(path, file), answer["problems"]) == ([], []), file.name
        assert answer["scores"]["overall"]["average"] == {"ewma": 1}
        assert answer["n_rows"] == len(rows)


def _spoilt(data: bytes, random: Random) -> bytes:
    """Return a file with a few bytes added, lost or changed, and perhaps lines out of order."""
    pieces = [
        b"",
        b"\xff",
        b"\xc3\xa9",
        b'"',
        b"\x00",
        b"\n",
        b"\r\n",
        b",",
        b"{",
        b"NaN",
        b"1.0",
        b"x",
        b"\\ud800",
    ]
    for _ in range(random.randrange(4)):
        at = random.randrange(len(data) + 1)
        lost = random.choice([0, 0, 1, 3, 40])
        data = data[:at] + random.choice(pieces) + data[at + lost :]
    if random.random() < 0.2:
        lines = data.split(b"\n")
        random.shuffle(lines)
        data = b"\n".join([*lines, random.choice(lines)])
    return data


def test_files_spoilt_at_random_meet_the_same_complaints(scripts: list[Path], tmp_path: Path) -> None:
    """Only what the parsers of JSON and CSV themselves say, in brackets, may depend on Python's version."""
    path = write_small_release(tmp_path / "r")
    answers = right_answers(path)
    random = Random(int(os.environ.get("HARDFROST_SPOILT_SEED", "7")))
    files = []
    for index in range(int(os.environ.get("HARDFROST_SPOILT_FILES", "200"))):
        names = answers if index % 3 else {name: LABELS[::2].index(a) for name, a in answers.items()}
        file = write_answers(tmp_path / f"p{index}{random.choice(['.jsonl', '.csv'])}", names)
        file.write_bytes(_spoilt(file.read_bytes(), random))
        files.append(file)
    found = score_in_node(scripts, path, files)["answers"]
    for file, answer in zip(files, found, strict=True):
        assert _unbracketed(answer["problems"]) == _unbracketed(_complaints(path, file)), file.read_bytes()
    assert len({bool(answer["problems"]) for answer in found}) == 2


def _unbracketed(lines: list[str]) -> list[str]:
    return [re.sub(r"not (JSON|CSV) \(.*\);", r"not \1;", line) for line in lines]


def test_far_too_many_rows_end_the_reading(scripts: list[Path], tmp_path: Path) -> None:
    """Where exactly is each reader's own business, since one reads in blocks."""
    path = write_small_release(tmp_path / "r")
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'{"id": "a", "prediction": 1}\n' * 1_200)
    (found,) = score_in_node(scripts, path, [file])["answers"]
    assert found["problems"][0] == _complaints(path, file)[0]
    assert "more than 1,108 rows, far more than the release" in found["problems"][0]


def test_packed_files_are_unpacked_up_to_a_bound(scripts: list[Path], tmp_path: Path) -> None:
    """A cut one and a bomb are told apart from a good one."""
    path = write_small_release(tmp_path / "r")
    good = write_answers(tmp_path / "good.jsonl.gz", right_answers(path))
    files = [good, tmp_path / "cut.csv.gz", tmp_path / "bomb.csv.gz"]
    files[1].write_bytes(good.read_bytes()[:-20])
    files[2].write_bytes(gzip.compress(bytes(20_000_000)))
    found = [answer["problems"] for answer in score_in_node(scripts, path, files)["answers"]]
    assert found[0] == []
    assert found[1][0].startswith("cut.csv.gz: the gzip data is broken")
    assert found[2] == ["bomb.csv.gz: inflates to over 250 times its size; that is no predictions file"]


def test_what_the_page_cannot_read_is_sent_to_the_command_line(scripts: list[Path], tmp_path: Path) -> None:
    """Parquet needs more than a browser; other formats are unknown."""
    path = write_small_release(tmp_path / "r")
    files = [tmp_path / name for name in ("p.parquet", "p.xlsx", "jsonl.gz")]
    for file in files:
        file.write_bytes(b"x")
    found = [answer["problems"] for answer in score_in_node(scripts, path, files)["answers"]]
    unknown = "unknown format; the name must end in .jsonl or .csv, with or without .gz"
    assert found == [
        ["p.parquet: this page does not read Parquet; `hardfrost check` and `hardfrost score` do"],
        [f"p.xlsx: {unknown}"],
        [f"jsonl.gz: {unknown}"],
    ]
