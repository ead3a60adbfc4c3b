"""Every example runs as it is shipped, and type checkers find nothing to say about it."""

import importlib.util
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import hardfrost

ROOT = Path(hardfrost.__file__).parent
EXAMPLES = ROOT / "examples"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
# What the examples and the signatures of the API name, and which is typed or not there to be checked.
SEEN = ("click", "matplotlib", "numpy", "pydantic", "pydantic_core", "rapidfuzz", "typing_extensions")

LABELS = {"good": "POSITIVE", "bad": "NEGATIVE"}


def run(name: str, *arguments: str | Path, folder: Path) -> str:
    """Run an example in an empty folder; return what it printed."""
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def knows_one_word(folder: Path) -> Path:
    """Return a checkpoint that tells `good` from everything else."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "good", "bad", "a", "film"]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=32)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        id2label=dict(enumerate(LABELS.values())),
        label2id={label: number for number, label in enumerate(LABELS.values())},
    )
    model = BertForSequenceClassification(config)
    batch = tokenizer([f"a {word} film" for word in LABELS], return_tensors="pt")
    steps = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(60):
        steps.zero_grad()
        model(**batch, labels=torch.tensor([0, 1])).loss.backward()
        steps.step()
    model.save_pretrained(folder / "model", safe_serialization=True)
    tokenizer.save_pretrained(folder / "model")
    return folder / "model"


def test_score_my_model_prints_figures_and_draws_curves(tmp_path: Path, tiny: Path) -> None:
    """With the result that the command line would write."""
    shown = run("score_my_model.py", folder=tmp_path)
    result = json.loads((tmp_path / "scored/result.json").read_text(encoding="utf-8"))
    robustness = result["overall"]["worst"]["ewma"]
    assert f"<score of my pipeline on mr-tiny 2.0: robustness {100 * robustness:.1f}" in shown
    assert "typo-malicious, rule: most hurt is " in shown
    assert (tmp_path / "scored/curves.png").stat().st_size > 10_000


def test_audit_sklearn_says_where_the_model_breaks(tmp_path: Path, cache: Path) -> None:
    """With the figure of the result, and a report."""
    words = {"good": "charming tender moving", "bad": "tedious hollow dreary"}
    rows = [f"every scene of film {n} is {words[label]},{label}" for n in range(40) for label in words]
    (tmp_path / "mine.csv").write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    shown = run("audit_sklearn.py", "mine.csv", "out", "12", folder=tmp_path)
    result = json.loads((tmp_path / "out/result.json").read_text(encoding="utf-8"))
    robustness = result["overall"]["worst"]["ewma"]
    assert f"<score of my pipeline on 12 samples of texts.jsonl: robustness {100 * robustness:.1f}" in shown
    assert "typo-malicious, live: most hurt is " in shown
    assert (tmp_path / "out/report.html").is_file()


def test_audit_transformer_attacks_a_folder_of_transformers(tmp_path: Path, cache: Path) -> None:
    """With labels by the names in its configuration, whatever their order."""
    checkpoint = knows_one_word(tmp_path)
    rows = [f"a {word} film {n},{label}" for n in range(12) for word, label in LABELS.items()]
    (tmp_path / "mine.csv").write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    shown = run("audit_transformer.py", "mine.csv", checkpoint, "out", "12", folder=tmp_path)
    result = json.loads((tmp_path / "out/result.json").read_text(encoding="utf-8"))
    (task,) = result["tasks"].values()
    assert task["clean"]["accuracy"] == 1
    # Both words are unknown to it once they are misspelt, and it then has one answer for all.
    assert 0 <= result["overall"]["worst"]["ewma"] < 0.5
    assert f"robustness {100 * result['overall']['worst']['ewma']:.1f}" in shown
    assert "typo-malicious" in shown
    assert (tmp_path / "out/report.html").is_file()


def test_mend_my_model_is_better_after_than_before(tmp_path: Path) -> None:
    """As its last line says."""
    *_, last = run("mend_my_model.py", folder=tmp_path).splitlines()
    assert last.startswith("<")
    assert " +" in last


def test_submit_writes_a_submission_and_a_site(tmp_path: Path, tiny: Path) -> None:
    """Which can be scored again."""
    shown = run("submit.py", tiny, folder=tmp_path)
    assert "<leaderboard of mr-tiny 2.0: 1 models" in shown
    (result,) = (tmp_path / "submitted/results").glob("examples__*/1/result.json")
    assert json.loads(result.read_text(encoding="utf-8"))["model"]["name"] == "a few words"
    assert (tmp_path / "submitted/site/index.html").is_file()


def test_the_notebook_runs_from_the_first_cell_to_the_last(tmp_path: Path) -> None:
    """Each cell as a notebook runs it; what it ends with can be shown."""
    notebook = json.loads((EXAMPLES / "story.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell.get("outputs") for cell in notebook["cells"])
    code = (
        "import ast, json, sys\n"
        "names = {'__name__': '__main__'}\n"
        "for cell in json.load(sys.stdin):\n"
        "    tree = ast.parse(cell)\n"
        "    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None\n"
        "    exec(compile(tree, 'cell', 'exec'), names)\n"
        "    if last is not None:\n"
        "        value = eval(compile(ast.Expression(last.value), 'cell', 'eval'), names)\n"
        "        shown = getattr(value, '_repr_html_', None)\n"
        "        _ = None if shown is None else shown()\n"
        "        print(repr(value))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(cells),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "<leaderboard of story 1.0: 3 models" in done.stdout
    assert (tmp_path / "story/site/index.html").is_file()


def test_type_checkers_find_nothing_to_say_about_the_examples(tmp_path: Path) -> None:
    """Against the wheel, outside the checkout, where only what it says of itself counts."""
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", tmp_path, ROOT], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([*PIP, "--python", python, "install", "--no-deps", "--no-index", wheel], check=True)
    (site,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    for name in SEEN:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        file = Path(spec.origin or "")
        place = file.parent if file.name == "__init__.py" else file
        (site / place.name).symlink_to(place)
    config = "[mypy]\nstrict = true\n"
    config += "".join(f"[mypy-{name}.*]\nignore_missing_imports = true\n" for name in ("sklearn", "pandas"))
    (tmp_path / "mypy.ini").write_text(config, encoding="utf-8")
    check = 'reveal_type(__import__("hardfrost"))\nimport hardfrost\nreveal_type(hardfrost.score)\n'
    (tmp_path / "reveal.py").write_text(check, encoding="utf-8")
    files = [*EXAMPLES.glob("*.py"), EXAMPLES / "my_dimension/shouting/shout.py", tmp_path / "reveal.py"]
    mypy = [sys.executable, "-m", "mypy", "--config-file", tmp_path / "mypy.ini"]
    checked = subprocess.run(
        [*mypy, "--cache-dir", tmp_path / "cache", "--python-executable", python, *files],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "MYPYPATH"}},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "-> flows.api.scores.Score" in checked.stdout
