"""Every ready recipe is planned from local files, with the labels, the licence and the card that it names."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.local_files import LOCAL_FILES, build_options
from builder.commands.build import build
from builder.recipe.overrides import with_data_sources
from builder.recipe.recipe import Recipe
from builder.recipe.recipe_file import RECIPES_PATH, find_recipe, read_recipe
from builder.release.documents.task_cards import CARDS_PATH, read_card
from builder.tasks.task import Task, load_tasks
from contract.machine.errors import UserError

DATA = Path(__file__).parents[4] / "shared" / "data"
N_ROWS = 1300
# Recipes whose tasks are read from elsewhere than the package and its extras.
TASKS = {
    path.stem: [task.name for task in read_recipe(path).tasks]
    for path in sorted(RECIPES_PATH.glob("*.yaml"))
    if not any(task.source == "mr" for task in read_recipe(path).tasks)
}
# Those of tasks with many labels have tests of their own.
RECIPES = sorted(set(TASKS) - {"demo", "zeroe", "zeroe-pos", "moderation"})
LABELS = {
    "sst2": ("negative", "positive"),
    "agnews": ("World", "Sports", "Business", "Sci/Tech"),
    "jigsaw": ("clean", "toxic"),
    "olid": ("non-offensive", "offensive"),
    "hatecheck": ("non-hateful", "hateful"),
    "spam": ("ham", "spam"),
    "injection": ("benign", "injection"),
    "trigger-words": ("benign", "injection"),
    "qqp": ("not_duplicate", "duplicate"),
    "snli": ("entailment", "neutral", "contradiction"),
    "mnli": ("entailment", "neutral", "contradiction"),
    "mnli-mm": ("entailment", "neutral", "contradiction"),
    "qnli": ("entailment", "not_entailment"),
    "rte": ("entailment", "not_entailment"),
}

HASHES = {"default": "34e8ec5a", "mr": "5bd931b5", "sst2": "110a7c30", "zeroe": "8fa706db"}


@dataclass(frozen=True, kw_only=True)
class Layout:
    """A file as its authors distribute it: its header and its rows, of which some have oddities."""

    name: str
    header: tuple[str, ...] | None
    row: Callable[[int], tuple[object, ...]]

    def write(self, folder: Path) -> Path:
        """Write made-up rows and return the path."""
        path = folder / self.name
        rows = [self.row(number) for number in range(N_ROWS)]
        if path.suffix == ".json":
            records = [dict(zip(self.header or (), row, strict=True)) for row in rows]
            path.write_text(json.dumps(records), encoding="utf-8")
            return path
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter="\t" if path.suffix == ".tsv" else ",", lineterminator="\n")
        writer.writerows([*([self.header] if self.header else []), *rows])
        path.write_text(text.getvalue(), encoding="utf-8")
        return path


def made(number: int, what: str = "text") -> str:
    """Return one of many different texts."""
    return f"a {what} with the number {number} that nobody wrote before"


def pair(number: int, labels: tuple[object, ...]) -> tuple[object, ...]:
    """Return two texts and a label."""
    return made(number, "premise"), made(number, "claim"), labels[number % len(labels)]


LAYOUTS = {
    "sst2": Layout(name="dev.tsv", header=("sentence", "label"), row=lambda n: (made(n), n % 2)),
    # Numbers from 1.
    "agnews": Layout(name="test.csv", header=None, row=lambda n: (n % 4 + 1, f"title, {n}", made(n))),
    # An empty text now and then.
    "jigsaw": Layout(
        name="train.csv",
        header=("id", "comment_text", "toxic"),
        row=lambda n: (n, made(n) if n % 50 else " ", n // 2 % 2),
    ),
    # Each id stands twice.
    "olid": Layout(
        name="olid.tsv",
        header=("id", "tweet", "subtask_a", "subtask_b"),
        row=lambda n: (n // 2, made(n), ("OFF", "NOT")[n % 2], "NULL"),
    ),
    "hatecheck": Layout(
        name="cases.csv",
        header=("functionality", "case_id", "test_case", "label_gold"),
        row=lambda n: ("f", n, made(n), ("hateful", "non-hateful")[n % 2]),
    ),
    "spam": Layout(name="sms.tsv", header=None, row=lambda n: (("ham", "spam")[n % 2], made(n))),
    "injection": Layout(
        name="valid.json", header=("prompt", "label", "source"), row=lambda n: (made(n), n % 2, "s")
    ),
    # Some have no label.
    "qqp": Layout(
        name="qqp.tsv",
        header=("id", "question1", "question2", "is_duplicate"),
        row=lambda n: (n, *pair(n, ("0.0", "1.0"))) if n % 90 else (n, made(n), made(n, "other"), ""),
    ),
    "snli": Layout(
        name="snli.tsv", header=("premise", "hypothesis", "label"), row=lambda n: pair(n, (0, 1, 2))
    ),
    "mnli": Layout(
        name="mnli.tsv",
        header=("premise", "hypothesis", "label"),
        row=lambda n: pair(n, ("entailment", "neutral", "contradiction")),
    ),
    # As GLUE distributes its dev_mismatched.tsv.
    "mnli-mm": Layout(
        name="dev_mismatched.tsv",
        header=("index", "genre", "sentence1", "sentence2", "gold_label"),
        row=lambda n: (n, "fiction", *pair(n, ("entailment", "neutral", "contradiction"))),
    ),
    "qnli": Layout(
        name="qnli.tsv",
        header=("index", "question", "sentence", "label"),
        row=lambda n: (n, *pair(n, ("entailment", "not_entailment"))),
    ),
    "rte": Layout(
        name="rte.tsv", header=("sentence1", "sentence2", "label", "idx"), row=lambda n: (*pair(n, (0, 1)), n)
    ),
}
# Benign prompts have no column of labels.
WITHOUT_LABELS = Layout(name="benign.json", header=("prompt",), row=lambda n: (made(n, "request"),))


def options_for(recipe: str, folder: Path) -> list[str]:
    """Return the options that give each task of a recipe a made-up file."""
    options = []
    for task in TASKS[recipe]:
        layout = LAYOUTS["injection" if task == "trigger-words" else task]
        (folder / task).mkdir()
        options += ["--source", f"{task}=file:{layout.write(folder / task)}"]
        if task == "trigger-words":
            options += ["--source", f"{task}=file:{WITHOUT_LABELS.write(folder / task)}"]
        options += ["--train", f"{task}=rest"]
    return options


def planned(recipe: str, options: list[str]) -> dict[str, Any]:
    """Return what `build --plan --json` prints."""
    done = CliRunner().invoke(build, [recipe, *options, "--plan", "--json"])
    assert done.exit_code == 0, done.exception
    plan: dict[str, Any] = json.loads(done.stdout)
    return plan


def changed(recipe: str, options: list[str]) -> Recipe:
    """Return the recipe that the options of a build lead to."""
    given: dict[str, list[str]] = {"--source": [], "--train": [], "--read": []}
    for option, value in zip(options[::2], options[1::2], strict=True):
        given[option].append(value)
    return with_data_sources(
        read_recipe(find_recipe(recipe)), given["--source"], given["--train"], given["--read"]
    )


def check_loaded(task: Task, recipe: Recipe) -> None:
    """Check that labels, licence and number of samples are those that the recipe states."""
    (of_recipe,) = [each for each in recipe.tasks if each.name == task.info.name]
    assert task.info.labels == LABELS[task.info.name]
    assert task.info.licence == of_recipe.licence
    assert {sample.label for sample in task.samples} == set(range(len(task.info.labels)))
    least = of_recipe.least_samples or of_recipe.samples
    assert least <= len(task.samples) <= of_recipe.samples
    assert len({sample.id for sample in task.samples}) == len(task.samples)
    assert all(sample.text.strip() for sample in [*task.samples, *task.train])


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_is_planned_from_files_as_their_authors_distribute_them(recipe: str, tmp_path: Path) -> None:
    """Oddities included: no header, numbers as labels, empty texts, repeated ids, rows without a label."""
    options = options_for(recipe, tmp_path)
    plan = planned(recipe, options)
    assert [task["name"] for task in plan["recipe"]["tasks"]] == TASKS[recipe]
    chosen = changed(recipe, options)
    for task in load_tasks(chosen.tasks):
        check_loaded(task, chosen)


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_names_a_card_that_explains_its_labels(recipe: str) -> None:
    """And that knows the data set on the Hub; only the recipe of before that key names none."""
    for task in read_recipe(find_recipe(recipe)).tasks:
        card = read_card(CARDS_PATH / f"{task.card or task.name}.yaml")
        assert set(task.labels or ()) <= set(card.labels)
        assert task.licence
        if task.source.startswith("hub:"):
            assert task.source in card.sources


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the development data are not at {DATA}")
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_loads_real_files(recipe: str) -> None:
    """Those that are found on the web."""
    options = build_options(DATA, TASKS[recipe])
    # The mismatched half of MNLI is not among the files.
    assert set(TASKS[recipe]) - LOCAL_FILES.keys() <= {"mnli-mm"}
    chosen = changed(recipe, options)
    for task in load_tasks(tuple(task for task in chosen.tasks if task.name in LOCAL_FILES)):
        check_loaded(task, chosen)


def test_the_demo_is_balanced_and_its_sentences_stand_once() -> None:
    """By label and by domain, in what is benchmarked and in what is trained on."""
    texts = []
    for name, n_each in (("demo.tsv", 17), ("demo_train.tsv", 27)):
        with (RECIPES_PATH / "data" / name).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        counts = {(row["label"], row["domain"]) for row in rows}
        assert len(counts) == 12
        for label, domain in counts:
            of_cell = [row for row in rows if (row["label"], row["domain"]) == (label, domain)]
            assert len(of_cell) == n_each
        texts += [row["text"].casefold() for row in rows]
    assert len(set(texts)) == len(texts)
    (task,) = load_tasks(read_recipe(find_recipe("demo")).tasks)
    assert (task.info.n_samples, task.info.n_train, task.info.licence) == (204, 324, "CC0 1.0")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--read", "spam=[1]"], "expected read options such as"),
        (["--read", "spam={colums: {text: 1}}"], "colums"),
        (["--read", "spam={header: false"], "--read spam:1: not YAML"),
        (["--read", "spma={header: false}"], "did you mean 'spam'"),
        (["--source", "spam"], "expected TASK=SOURCE"),
        (["--train", "spm=rest"], "did you mean 'spam'"),
    ],
)
def test_wrong_options_of_a_task_are_said_to_be_wrong(options: list[str], message: str) -> None:
    """Before any file is read."""
    with pytest.raises(UserError) as caught:
        changed("spam", options)
    assert message in caught.value.message


def test_recipes_of_before_keep_their_hashes() -> None:
    """Keys that came later do not stand in what a recipe resolves to."""
    assert {name: read_recipe(find_recipe(name)).sha256[:8] for name in HASHES} == HASHES


def test_labels_that_yaml_takes_for_truth_values_are_explained(tmp_path: Path) -> None:
    """`OFF` is one; numbers need no quotes."""
    text = find_recipe("olid").read_text(encoding="utf-8")
    path = tmp_path / "recipe.yaml"
    path.write_text(text.replace('"OFF"', "OFF"), encoding="utf-8")
    with pytest.raises(UserError, match="put the label into quotes"):
        read_recipe(path)
    assert read_recipe(find_recipe("agnews")).tasks[0].label_map["1"] == "World"
