"""A user's function runs in a process of its own: no name clashes, its errors are told, it ends with us."""

import ast
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from one_task import a_request, a_task

from classifiers import Classifier
from classifiers.kinds.python import PYTHON, PythonFunction
from classifiers.machinery.classifier import ModelOptions
from classifiers.machinery.own_process import child
from contract.machine.errors import UserError

TWO = [("good film", None), ("bad film", None)]


def load(argument: str, code: str, folder: Path, **others: object) -> Classifier:
    """Write a module into a folder and load its function."""
    (folder / "mine.py").write_text(code, encoding="utf-8")
    return PYTHON.load(a_request(argument, **others))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which a user works."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_names_of_ours_are_free_for_the_user(here: Path) -> None:
    """A project with its own evaluator.py, builder and contract.py sees these, and nothing of ours."""
    (here / "builder").mkdir()
    (here / "builder" / "__init__.py").write_text("GOOD = 'good'\n")
    (here / "contract.py").write_text("def label(is_good): return 'positive' if is_good else 'negative'\n")
    (here / "child.py").write_text("raise RuntimeError('nobody asked for this file')\n")
    (here / "evaluator.py").write_text(
        "import sys\nimport builder, contract\n"
        "def predict(texts):\n"
        "    assert not any(name.startswith(('classifiers', 'leaderboard')) for name in sys.modules)\n"
        "    return [contract.label(builder.GOOD in text) for text in texts]\n"
    )
    classifier = PYTHON.load(a_request("evaluator:predict"))
    assert classifier.probabilities(TWO).tolist() == [[0, 1], [1, 0]]


def test_a_function_runs_in_another_virtual_environment(here: Path) -> None:
    """By the folder of the environment or by its interpreter; without it, its packages are not there."""
    environment = here / "other"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    (packages,) = environment.glob("**/site-packages")
    (packages / "only_there.py").write_text("LABEL = 1\n")
    code = (
        "import sys, only_there\n"
        "def predict(texts):\n"
        "    assert sys.prefix.endswith('other'), sys.prefix\n"
        "    try: import numpy\n"
        "    except ImportError: return [only_there.LABEL for _ in texts]\n"
    )
    with pytest.raises(UserError, match=r"No module named 'only_there'[\s\S]*--python PATH"):
        load("mine:predict", code, here)
    for place in (environment, next(environment.glob("[bS]*/python*"))):
        classifier = load("mine:predict", code, here, options=ModelOptions(python_path=place))
        assert classifier.probabilities(TWO).tolist() == [[0, 1], [0, 1]]
    with pytest.raises(UserError, match="did you mean 'other'"):
        load("mine:predict", code, here, options=ModelOptions(python_path=Path("othr")))


def test_what_a_function_prints_goes_to_stderr(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """From Python, from C and from a child of its own; what it reads is empty."""
    code = (
        "import os, subprocess, sys\nprint('loading')\n"
        "def predict(texts):\n"
        "    print('asked', flush=True); os.write(1, b'by the system\\n')\n"
        "    subprocess.run([sys.executable, '-c', 'print(5 * \"ha\")'])\n"
        "    assert sys.stdin.read() == ''\n"
        "    return [0 for _ in texts]\n"
    )
    assert load("mine:predict", code, here).probabilities(TWO).tolist() == [[1, 0], [1, 0]]
    printed = capfd.readouterr()
    assert not printed.out
    assert all(words in printed.err for words in ("loading", "asked", "by the system", "hahahahaha"))


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ("['positive'] * len(texts)", [0, 1]),
        ("['POSITIVE'] * len(texts)", [0, 1]),
        ("[0] * len(texts)", [1, 0]),
        ("(0 for _ in texts)", [1, 0]),
        ("np.array([[0.25, 0.75]] * len(texts), dtype=np.float32)", [0.25, 0.75]),
        ("[np.float64(0.25), np.float64(0.75)] and [(np.float64(0.25), 0.75) for _ in texts]", [0.25, 0.75]),
        ("[np.int64(1) for _ in texts]", [0, 1]),
        ("np.array(['positive'] * len(texts))", [0, 1]),
        ("[{'negative': 0.25, 'positive': np.float32(0.75)} for _ in texts]", [0.25, 0.75]),
        ("['LABEL_1' for _ in texts]", [0, 1]),
        ("[{'LABEL_0': 0.5, 1: 0.5} for _ in texts]", [0.5, 0.5]),
    ],
)
def test_answers_may_be_what_libraries_give(here: Path, returned: str, expected: list[float]) -> None:
    """Names, indices, lists, arrays, and probabilities by name."""
    classifier = load("mine:f", f"import numpy as np\ndef f(texts): return {returned}\n", here)
    assert classifier.probabilities(TWO).tolist() == [expected] * 2
    assert classifier.probabilities([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("['perhaps'] * len(texts)", "returned 'perhaps'; return for each text a label"),
        ("[0]", "returned 1 answers for 2 texts"),
        ("'positive'", "return a list"),
        ("None", "return a list"),
        ("[2] * 2", "returned '2'"),
        ("[-1] * 2", "returned '-1'"),
        ("[None] * 2", "returned 'None'"),
        ("[[0.5, 0.6]] * 2", "probabilities that sum to 1"),
        ("[[float('nan'), 1.0]] * 2", "probabilities that sum to 1"),
        ("[{'good': 1.0}] * 2", "returned"),
        ("[{}] * 2", "returned"),
        ("['x' * 10**8] * 2", "more than 64,000,000"),
        ("[[[[]]]] * 2", "returned"),
        ("1 / 0", r"failed:\n[\s\S]*mine.py[\s\S]*ZeroDivisionError"),
        ("exit(3)", "SystemExit: 3"),
        ("__import__('os')._exit(7)", "its process ended .with the exit code 7"),
        ("__import__('os').kill(__import__('os').getpid(), 9)", "its process ended .by the signal SIGKILL"),
    ],
)
def test_what_goes_wrong_is_told_without_a_traceback_of_ours(here: Path, returned: str, message: str) -> None:
    """The user's own lines are shown, ours are not."""
    classifier = load("mine:f", f"def f(texts):\n    return {returned}\n", here)
    with pytest.raises(UserError, match=message) as caught:
        classifier.probabilities(TWO)
    assert "child.py" not in caught.value.message


def test_a_function_that_is_not_there_is_explained(here: Path) -> None:
    """With the nearest name, of functions, modules and files."""
    code = "def predict(texts): return texts\nvalue = 3\n"
    with pytest.raises(UserError, match="has no function 'predct'; did you mean 'predict'"):
        load("mine:predct", code, here)
    with pytest.raises(UserError, match="has no function 'value'"):
        load("mine:value", code, here)
    with pytest.raises(UserError, match=r"no module 'mien' in .* did you mean 'mine'"):
        load("mien:predict", code, here)
    with pytest.raises(UserError, match=r"there is no such file; did you mean 'mine.py'"):
        load("mime.py:predict", code, here)
    with pytest.raises(UserError, match="needs MODULE:FUNCTION"):
        load("mine", code, here)
    with pytest.raises(UserError, match=r"SyntaxError"):
        load("mine:predict", "def (", here)


def test_a_file_and_an_object_may_be_named(here: Path) -> None:
    """A file anywhere finds its neighbours; dots lead into objects."""
    folder = here / "a folder" / "of mine"
    folder.mkdir(parents=True)
    (folder / "neighbour.py").write_text("LABEL = 1\n")
    (folder / "my-model.py").write_text(
        "import neighbour\nclass Model:\n"
        "    def predict(self, texts): return [neighbour.LABEL for _ in texts]\n"
        "model = Model()\n"
    )
    classifier = PYTHON.load(a_request("a folder/of mine/my-model.py:model.predict"))
    assert classifier.probabilities(TWO).tolist() == [[0, 1], [0, 1]]
    assert PYTHON.content is not None
    name, sha256 = PYTHON.content(a_request("a folder/of mine/my-model.py:model.predict"))
    assert name == "predict"
    assert len(sha256) == 64


def test_pairs_and_odd_characters_arrive_as_they_are(here: Path) -> None:
    """Halves of characters, too; a pair is a tuple."""
    code = (
        "def f(texts):\n    assert texts[0] == ('\\ud800 \\0', 'ß\\u2028'), texts\n"
        "    return [[0, 1] for _ in texts]\n"
    )
    classifier = load("mine:f", code, here, task=a_task(fields=("one", "two")))
    assert classifier.probabilities([("\ud800 \0", "ß\u2028")]).tolist() == [[0, 1]]


def test_long_texts_go_in_several_messages_and_batches_as_large_as_the_user_says(here: Path) -> None:
    """Every text is asked about once, in order."""
    code = "def f(texts):\n    print(len(texts)); return [int('b' in text) for text in texts]\n"
    classifier = load("mine:f", code, here, options=ModelOptions(batch_size=2))
    assert classifier.probabilities([("a", None), ("b", None), ("b", None)]).argmax(axis=1).tolist() == [
        0,
        1,
        1,
    ]
    large = [("a" * 3_000_000, None), ("b" * 3_000_000, None), ("a", None)]
    assert load("mine:f", code, here).probabilities(large).argmax(axis=1).tolist() == [0, 1, 0]


def test_labels_by_number_are_said_once_and_may_be_given(here: Path) -> None:
    """In the order of the task, unless the user says another."""
    said: list[str] = []
    code = "def f(texts): return [0 for _ in texts]\n"
    classifier = load("mine:f", code, here, say=said.append)
    for _ in range(2):
        classifier.probabilities(TWO)
    assert len(said) == 1
    assert "0 = negative, 1 = positive" in said[0]
    given = ModelOptions(labels={"": ("positive", "negative")})
    classifier = load("mine:f", code, here, say=said.append, options=given)
    assert classifier.probabilities(TWO).tolist() == [[0, 1], [0, 1]]
    assert "0 = positive, 1 = negative, as --labels says" in said[1]


def test_the_process_ends_with_its_classifier_and_with_its_parent(here: Path) -> None:
    """Also in the middle of a call, also when the parent is killed."""
    code = (
        "import os, time\nfrom pathlib import Path\n"
        "def f(texts):\n    Path('pid').write_text(str(os.getpid()))\n"
        "    time.sleep(600 * ('wait' in texts[0]))\n"
        "    return [0 for _ in texts]\n"
    )
    classifier = load("mine:f", code, here)
    assert isinstance(classifier, PythonFunction)
    classifier.probabilities(TWO)
    process = classifier.process._process
    del classifier
    assert process.poll() is not None
    (here / "pid").unlink()
    asking = (
        "from one_task import a_request\nfrom classifiers.kinds.python import PYTHON\n"
        "PYTHON.load(a_request('mine:f')).probabilities([('wait', None)])\n"
    )
    paths = os.pathsep.join([str(Path(__file__).parents[1]), str(Path(__file__).parents[3])])
    parent = subprocess.Popen([sys.executable, "-c", asking], env={**os.environ, "PYTHONPATH": paths})
    while not (here / "pid").is_file() or not (here / "pid").read_text():
        assert parent.poll() is None
        time.sleep(0.02)
    parent.kill()
    parent.wait()
    pid = int((here / "pid").read_text())
    for _ in range(500):
        if not _is_alive(pid):
            break
        time.sleep(0.02)
    assert not _is_alive(pid)


def _is_alive(pid: int) -> bool:
    """Tell whether a process runs; one that ended may stay listed until somebody asks for its end."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def test_the_script_of_the_process_runs_on_older_pythons_without_anything_of_ours() -> None:
    """It is read by whatever interpreter the user names."""
    tree = ast.parse(Path(child.__file__).read_text(encoding="utf-8"), feature_version=(3, 8))
    imported = {
        name.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for name in node.names
    } | {(node.module or "").partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= set(sys.stdlib_module_names)


def test_a_forked_process_does_not_read_the_answers_of_another(here: Path) -> None:
    """It starts a process of its own, and leaves that of its parent alone."""
    code = "def f(texts): return [int(text) for text in texts]\n"
    classifier = load("mine:f", code, here)
    rows, out = os.pipe()
    pid = os.fork()
    if not pid:
        ones = classifier.probabilities([("1", None)] * 50)
        os.write(out, b"1" if (ones.argmax(axis=1) == 1).all() else b"0")
        os._exit(0)
    zeros = [classifier.probabilities([("0", None)]).argmax() for _ in range(50)]
    os.waitpid(pid, 0)
    assert os.read(rows, 1) == b"1"
    assert np.sum(zeros) == 0
    assert classifier.probabilities([("1", None)]).argmax() == 1
    for end in (rows, out):
        os.close(end)
