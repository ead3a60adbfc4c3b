"""Files to take away: right figures, safe in a spreadsheet, a database and a paper."""

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from made_boards import board_of_results
from made_results import DEGREES, DIMENSIONS, make_result, without_skill

from contract.machine.errors import ExitCode, UserError
from contract.schema.leaderboards import Leaderboard
from contract.schema.results import ModelInfo, Result
from leaderboard.view.data_scripts import model_script, script, table_script
from leaderboard.view.downloads import figures_of, write_figures
from leaderboard.view.table_downloads import table_csv, table_latex
from leaderboard.view.tables import table_of


def test_the_flat_table_holds_every_figure_once(tmp_path: Path) -> None:
    """Overall, clean, each degree and the EWMA of each part; CSV and Parquet agree."""
    board = _board("one", "two")
    write_figures(figures_of(board), tmp_path / "figures.parquet")
    write_figures(figures_of(board), tmp_path / "figures.csv")
    rows = pq.read_table(tmp_path / "figures.parquet").to_pylist()
    assert len(rows) == 2 * (1 + 1 + 1 + len(DIMENSIONS) * (len(DEGREES) + 1))
    wanted = {"model": "one", "dimension": "syntax", "degree": "0.3"}
    (row,) = [row for row in rows if wanted.items() <= row.items()]
    score = board.entries[0].result.tasks["mr"].dimensions["syntax"]["rule"].degrees["0.3"]
    assert (row["average"], row["worst"], row["n_cases"]) == (score.average, score.worst, score.n_cases)
    with (tmp_path / "figures.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [line["model"] for line in lines] == [row["model"] for row in rows]
    assert [float(line["average"]) for line in lines] == [row["average"] for row in rows]


def test_any_rank_that_a_leaderboard_may_have_fits() -> None:
    """A file by hand may say what it likes, up to the largest integer."""
    raw = board_of_results([make_result("first")]).to_json()
    raw["entries"][0]["rank"] = [2**31, 2**63 - 1]
    row = figures_of(Leaderboard.parse(raw, "board.json")).to_pylist()[0]
    assert (row["rank_best"], row["rank_worst"]) == (2**31, 2**63 - 1)


def test_an_unknown_format_is_wrong_use(tmp_path: Path) -> None:
    """The message says which formats there are."""
    with pytest.raises(UserError, match=r"\.csv or \.parquet") as caught:
        write_figures(figures_of(_board("one")), tmp_path / "figures.xlsx")
    assert caught.value.exit_code is ExitCode.WRONG_USE


def test_no_name_becomes_a_formula(tmp_path: Path) -> None:
    """A spreadsheet shows it as text; the Parquet file keeps it as it is."""
    board = _board('=HYPERLINK("x")')
    write_figures(figures_of(board), tmp_path / "figures.csv")
    write_figures(figures_of(board), tmp_path / "figures.parquet")
    lines = list(csv.DictReader(io.StringIO((tmp_path / "figures.csv").read_text())))
    assert {line["model"] for line in lines} == {'\'=HYPERLINK("x")'}
    assert set(pq.read_table(tmp_path / "figures.parquet")["model"].to_pylist()) == {'=HYPERLINK("x")'}
    (row,) = csv.DictReader(io.StringIO(table_csv(table_of(board))))
    assert row["model"].startswith("'=")
    assert (row["rank_best"], row["robustness"], row["rule_syntax_worst"]) != ("", "", "")


def test_no_degree_becomes_a_formula(tmp_path: Path) -> None:
    """Degrees are keys of an untrusted file."""
    board = board_of_results([make_result("one", degrees=("0.1",))])
    entry = board.entries[0]
    tasks = entry.result.model_dump()["tasks"]
    setting = tasks["mr"]["dimensions"]["syntax"]["rule"]
    setting["degrees"]['=HYPERLINK("x")'] = setting["degrees"]["0.1"]
    result = Result.model_validate(entry.result.model_dump(by_alias=True) | {"tasks": tasks})
    write_figures(figures_of(board_of_results([result])), tmp_path / "figures.csv")
    lines = list(csv.DictReader(io.StringIO((tmp_path / "figures.csv").read_text())))
    assert {line["degree"] for line in lines} == {"", "0", "0.1", '\'=HYPERLINK("x")'}


def test_latex_escapes_what_latex_would_run() -> None:
    """A name cannot bring a command into a paper."""
    text = table_latex(table_of(_board(r"\input{x}_50%&$#~^")), "a_b")
    assert r"\textbackslash{}input\{x\}\_50\%\&\$\#\textasciitilde{}\textasciicircum{} &" in text
    assert r"\caption{a\_b, rule." in text
    body = text[text.index("\\toprule") : text.index("\\bottomrule")]
    assert {line.count(" & ") for line in body.splitlines() if line.endswith(r"\\")} == {7 + len(DIMENSIONS)}


def test_a_paper_tells_revisions_apart_and_says_who_does_not_compare() -> None:
    """With the columns General and Malicious, where the page has them."""
    kin = ModelInfo(name="kin", is_surrogate_family=True)
    results = [
        make_result("same", strength=0.6, model=ModelInfo(name="same", organisation="ours", revision="1")),
        make_result("same", strength=0.5, model=ModelInfo(name="same", organisation="ours", revision="2")),
        make_result("kin", model=kin),
        make_result("part", is_partial=True),
        without_skill(make_result("constant")),
    ]
    table = table_of(board_of_results(results))
    text = table_latex(table, "caption")
    for name in (
        "same (ours 1)",
        "same (ours 2)",
        "kin (surrogate)",
        "part (partial)",
        "constant (no skill)",
    ):
        assert f"& {name} &" in text
    row = next(row for row in table.rows if row.model.revision == "1")
    general = row.settings["rule"].general
    assert general.average is not None
    assert general.worst is not None
    assert f"& {general.worst.text} / {general.average.text} &" in text


def test_no_column_mixes_settings_and_a_surrogates_scores_stand_in_brackets() -> None:
    """CSV names the setting in each column; LaTeX has a table for each."""
    surrogate = ModelInfo(name="kin", is_surrogate_family=True)
    scope = {"settings": ("rule", "score", "gradient")}
    table = table_of(
        board_of_results(
            [make_result("one", strength=0.7, **scope), make_result("kin", model=surrogate, **scope)]
        )
    )
    first, _ = csv.DictReader(io.StringIO(table_csv(table)))
    for tab in ("rule", "attacked", "score", "gradient"):
        assert first[f"{tab}_syntax_average"]
    assert "syntax_average" not in first
    assert (first["score_transferable_n"], "rule_transferable_n" in first) == (str(11 * 7 * 120), False)
    assert first["rank_without_families"] == "1"
    text = table_latex(table, "caption")
    assert text.count("\\begin{tabular}") == 4
    (kin, *_) = [line for line in text.splitlines() if "kin (surrogate)" in line]
    figures = kin.split(" & ")[2:]
    assert all("(" in figure for figure in figures)


def test_a_data_script_cannot_end_its_element() -> None:
    """Whatever a name holds, the script is ASCII, one call, and holds no angle bracket."""
    text = script("key", {"name": "</script><!-- \u2028 é"})
    assert text.isascii()
    assert "<" not in text
    assert json.loads(text.removeprefix('hardfrostData("key",').removesuffix(");\n"))["name"][-1] == "é"


def test_data_scripts_hold_the_figures_of_the_results() -> None:
    """What the browser computes with is what was scored."""
    board = _board("one")
    table = table_of(board)
    result = board.entries[0].result
    text = table_script(board, table, table.tabs[0])
    value = json.loads(text.removeprefix('hardfrostData("table",').removesuffix(");\n"))
    scores = value["rows"][table.rows[0].model.page]["scores"][0]
    first = result.tasks["mr"].dimensions[board.dimensions[0].name]["rule"]
    assert first.average is not None
    assert first.worst is not None
    assert scores[:2] == [first.worst.ewma, first.average.ewma]
    text = model_script(board.entries[0], table.rows[0], board, table)
    assert text.startswith(f'hardfrostData("model:{table.rows[0].model.page}",')
    assert '"replicates":[' in text


def _board(*names: str) -> Leaderboard:
    return board_of_results([make_result(name, model=ModelInfo(name=name)) for name in names])
