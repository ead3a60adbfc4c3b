"""The documents of a release say what its manifest, rows and cards say, and nothing is left blank."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from builder.recipe.recipe_file import read_recipe
from builder.release.documents import documents_of, documents_to_publish
from builder.release.documents.datasheet import datasheet_of
from builder.release.documents.facts import Facts
from builder.release.documents.hub_configs import hub_configs
from builder.release.documents.markdown import cell, code, sentence
from builder.release.documents.readme import readme_of
from builder.release.documents.task_cards import CARDS_PATH, TaskCard, cards_of, missing_facts, read_card
from builder.release.importing.advglue import import_advglue
from contract.machine.errors import UserError
from contract.release.release import DOCUMENTS, Release
from flows.command_line.entry import cli

REFERENCE = Path(__file__).parents[4] / "data_cards" / "mr"
REPO = "frost/mr-tiny"

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def documents(tiny: Path) -> dict[str, str]:
    """Return the documents of the tiny release as they would be published."""
    return documents_to_publish(Release.open(tiny), REPO)


def section(text: str, title: str) -> str:
    """Return a part of a Markdown file."""
    start = next(mark for mark in (f"\n## {title}\n", f"\n### {title}\n") if mark in text)
    return re.split(r"\n##+ ", text.partition(start)[2])[0]


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of a Markdown table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[part.strip() for part in line.strip("|").split("|")] for line in lines[2:]]


def test_a_release_comes_with_all_its_documents(tiny: Path) -> None:
    """Those that a build writes name no repository; the rest is the same."""
    built = documents_of(Release.open(tiny))
    assert {*built, "manifest.json"} == set(DOCUMENTS)
    for name, text in built.items():
        assert (tiny / name).read_text(encoding="utf-8") == text


def test_the_card_counts_what_the_manifest_counts(tiny: Path, documents: dict[str, str]) -> None:
    """Splits, funnel and examples have a row each."""
    manifest = Release.open(tiny).manifest
    card, sheet = documents["README.md"], documents["DATASHEET.md"]
    splits = rows_of(section(sheet, "Splits"))
    assert [(row[0], row[1], int(row[5])) for row in splits] == [
        (split.config, split.name, split.rows) for split in manifest.splits
    ]
    funnel = rows_of(section(sheet, "Funnel"))
    assert [int(row[-1]) for row in funnel] == [row.n_frozen for row in manifest.funnel]
    examples = rows_of(section(sheet, "Examples"))
    assert len(examples) == len([split for split in manifest.splits if split.rows]) - 1
    assert all(all(part for part in row[4:]) for row in examples)
    short = rows_of(section(card, "Splits"))
    shown = sum(int(part.replace(",", "")) for row in short for part in row[3:] if part)
    assert shown == sum(split.rows for split in manifest.splits)
    # Clean rows and two dimensions.
    assert len(rows_of(section(card, "Examples"))) == 3
    assert manifest.canary in card
    assert f'load_dataset("{REPO}", "mr__typo-malicious__rule"' in card
    assert "has seen most of these samples" in card


def test_no_document_has_a_blank_or_a_trace_of_code(documents: dict[str, str]) -> None:
    """Every question of the datasheet has an answer."""
    for name, text in documents.items():
        assert not re.search(r"\bNone\b|\{\{|\{%|Undefined|nan\b", text), name
    sheet = documents["DATASHEET.md"]
    answers = [part.partition("**")[2].strip() for part in re.split(r"\n\*\*(?=[A-Z])", sheet)[1:]]
    assert len(answers) > 25
    assert all(len(answer) > 5 for answer in answers)
    assert [line for line in sheet.splitlines() if line.startswith("## ")] == [
        "## Motivation",
        "## Composition",
        "## Collection",
        "## Preprocessing and labelling",
        "## Uses",
        "## Distribution",
        "## Maintenance",
        "## Tables",
    ]


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")
@pytest.mark.filterwarnings("ignore::DeprecationWarning:mlcroissant.*")
def test_croissant_is_valid_and_gives_the_rows(tiny: Path) -> None:
    """By MLCommons' own library: no error, no warning, and records with the labels of the file."""
    mlcroissant = pytest.importorskip("mlcroissant")
    described = mlcroissant.Dataset(jsonld=str(tiny / "croissant.json"))
    issues = described.metadata.ctx.issues
    assert not issues.errors
    assert {warning for warning in issues.warnings if "datePublished" not in warning} == set()
    release = Release.open(tiny)
    (split,) = release.splits(dimension="clean")
    records = list(described.records(f"{split.config}__{split.name}"))
    table = release.table(split, ["id", "text", "label"])
    found = [
        (row[f"{split.config}__{split.name}/id"].decode(), row[f"{split.config}__{split.name}/label"])
        for row in records
    ]
    assert found == list(zip(table["id"].to_pylist(), table["label"].to_pylist(), strict=True))


def test_croissant_names_every_file_with_its_hash(tiny: Path, documents: dict[str, str]) -> None:
    """Published, files are named at their tag."""
    described = json.loads(documents["croissant.json"])
    files = {file["@id"]: file for file in described["distribution"]}
    for split in Release.open(tiny).manifest.splits:
        assert files[split.path]["sha256"] == split.sha256
        assert files[split.path]["contentUrl"].endswith(f"{REPO}/resolve/v2.0/{split.path}")
    assert described["rai:personalSensitiveInformation"]


def test_eval_yaml_lists_what_a_model_answers(tiny: Path, documents: dict[str, str]) -> None:
    """The whole, then every split but the training rows."""
    described = yaml.safe_load(documents["eval.yaml"])
    assert described["tasks"].pop(0) == {"id": "overall", "config": "mr__all", "split": "test"}
    manifest = Release.open(tiny).manifest
    expected = [(split.config, split.name) for split in manifest.splits if split.dimension != "train"]
    assert [(task["config"], task["split"]) for task in described["tasks"]] == expected
    assert set(described) == {"name", "description", "evaluation_framework", "tasks"}


@pytest.mark.parametrize("path", sorted(CARDS_PATH.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_card_that_comes_along_is_complete(path: Path) -> None:
    """It describes some source, or a recipe names it for files that have none."""
    recipes = (ROOT / "recipes").glob("*.yaml")
    named = {task.card for recipe in recipes for task in read_recipe(recipe).tasks}
    assert read_card(path).sources or path.stem in named


def test_a_task_without_a_card_is_built_but_not_published(tiny: Path, tmp_path: Path) -> None:
    """The README says what to write; with it, the release is published."""
    release = Release.open(tiny)
    task = release.manifest.tasks[0].model_copy(update={"source": "file:mine.tsv"})
    manifest = release.manifest.model_copy(update={"tasks": (task,)})
    other = Release(path=tiny, manifest=manifest, manifest_sha256=release.manifest_sha256)
    built = documents_of(other)
    assert set(built) == {"README.md", "eval.yaml"}
    assert "no card describes file:mine.tsv" in built["README.md"]
    with pytest.raises(UserError, match=r"no card describes file:mine\.tsv"):
        documents_to_publish(other, REPO)
    card = read_card(CARDS_PATH / "mr.yaml").model_dump(mode="json")
    (tmp_path / "mr.yaml").write_text(yaml.safe_dump(card), encoding="utf-8")
    assert {*documents_to_publish(other, REPO, tmp_path), "manifest.json"} == set(DOCUMENTS)


def test_the_card_says_what_filtering_by_models_does_to_scores_and_to_withheld_labels(tiny: Path) -> None:
    """Models like the surrogates look weaker, and withheld labels were attacked before."""
    release = Release.open(tiny)
    splits = [
        split.model_copy(update={"setting": "score"}) if split.is_adversarial else split
        for split in release.manifest.splits
    ]

    def card(labels: str) -> str:
        manifest = release.manifest.model_copy(update={"splits": tuple(splits), "labels": labels})
        changed = Release(path=tiny, manifest=manifest, manifest_sha256=release.manifest_sha256)
        return documents_of(changed)["README.md"]

    assert "look weaker than they are" in card("public")
    assert "hardfrost leak" in card("withheld")
    assert "hardfrost leak" not in card("public")
    assert "look weaker" not in documents_of(release)["README.md"]


def test_the_datasheet_says_only_what_the_card_says(tiny: Path, documents: dict[str, str]) -> None:
    """A private source was not published before, and nobody was asked unless the card says so."""
    sheet = documents["DATASHEET.md"]
    assert "published before" not in sheet
    assert "**Were people asked for consent?** *mr*: its card does not say." in sheet
    facts = Facts.gather(Release.open(tiny))
    card = facts.cards["mr"].model_copy(update={"consent": "Every writer signed.", "language": "fr"})
    said = datasheet_of(replace(facts, cards={"mr": card}))
    assert "*mr*: Every writer signed." in said
    assert "Texts are in fr. Dimensions are written for English" in said


def test_address_and_citation_of_croissant_are_the_benchmarks(documents: dict[str, str]) -> None:
    """Those of its sources stand in the card."""
    described = json.loads(documents["croissant.json"])
    assert described["url"] == f"https://huggingface.co/datasets/{REPO}"
    assert described["citeAs"].startswith("mr-tiny, version 2.0:")
    assert "Pang" not in described["citeAs"]


def test_the_card_of_the_reference_release_can_be_read_by_a_person() -> None:
    """Long tables stand in the datasheet, and features in the Parquet files."""
    facts = Facts.gather(Release.open(REFERENCE))
    matter, _, body = readme_of(facts, has_examples=False).partition("\n---\n")
    n_examples = len(facts.manifest.dimensions) + 5
    assert len(matter.splitlines()) < 700
    assert len(body.splitlines()) + n_examples < 150
    configs = yaml.safe_load(matter.removeprefix("---\n"))["configs"]
    assert len(configs) == len(hub_configs(facts.manifest))


def test_a_card_to_fill_in_is_written_and_named_until_it_is_filled_in(tiny: Path, tmp_path: Path) -> None:
    """For tasks that no shipped card describes."""
    done = CliRunner().invoke(cli, ["card", str(tiny), "-o", str(tmp_path / "none")])
    assert (done.exit_code, (tmp_path / "none").exists()) == (0, False)
    copy = tmp_path / "release"
    copy.mkdir()
    manifest = (tiny / "manifest.json").read_text(encoding="utf-8")
    (copy / "manifest.json").write_text(
        manifest.replace('"source": "mr"', '"source": "file:a.tsv"').replace(
            '"source":"mr"', '"source":"file:a.tsv"'
        ),
        encoding="utf-8",
    )
    done = CliRunner().invoke(cli, ["card", str(copy), "-o", str(tmp_path / "cards")])
    assert done.exit_code == 0, done.output
    written = read_card(tmp_path / "cards" / "mr.yaml")
    assert set(written.labels) == {"negative", "positive"}
    problems = missing_facts(Release.open(copy).manifest, {"mr": written})
    assert "`title`" in problems[0]
    assert "`consent`" in problems[0]
    again = CliRunner().invoke(cli, ["card", str(copy), "-o", str(tmp_path / "cards")])
    assert again.exit_code != 0


def _without(key: str) -> dict[str, Any]:
    card: dict[str, Any] = read_card(CARDS_PATH / "mr.yaml").model_dump(mode="json")
    del card[key]
    return card


@pytest.mark.parametrize(
    "key", [name for name, field in TaskCard.model_fields.items() if field.is_required()]
)
def test_a_missing_fact_is_an_error_that_names_it(tmp_path: Path, key: str) -> None:
    """Not a blank in the card."""
    path = tmp_path / "mr.yaml"
    path.write_text(yaml.safe_dump(_without(key)), encoding="utf-8")
    with pytest.raises(UserError, match=rf"mr.yaml: {key}: "):
        read_card(path)


def test_a_label_that_the_card_does_not_explain_is_missing(tiny: Path) -> None:
    """Labels are half of what a task is."""
    manifest = Release.open(tiny).manifest
    task = manifest.tasks[0].model_copy(update={"labels": ("negative", "positive", "mixed")})
    manifest = manifest.model_copy(update={"tasks": (task,)})
    assert missing_facts(manifest, cards_of(manifest)) == [
        "task mr: the card's `labels` does not explain mixed"
    ]


def test_an_imported_benchmark_is_documented_too(advglue_document: dict[str, Any], tmp_path: Path) -> None:
    """Its six tasks have cards by the benchmark they come from."""
    (tmp_path / "dev.json").write_text(json.dumps(advglue_document), encoding="utf-8")
    import_advglue(tmp_path / "dev.json", tmp_path / "release")
    release = Release.open(tmp_path / "release")
    documents = documents_of(release)
    assert {*documents, "manifest.json"} == set(DOCUMENTS)
    assert "Quora" in documents["DATASHEET.md"]
    assert "CC BY-SA 4.0" in documents["README.md"]


@given(st.text())
def test_no_text_breaks_out_of_its_cell(text: str) -> None:
    """Neither of the table nor of the page."""
    assert not re.search(r"[|\n\r<>`\[\]\\]", cell(text))


@pytest.mark.parametrize("text", ["`<script>`", "[a](javascript:b)", "a`b", "<img src=x>"])
def test_texts_of_others_are_no_markup(text: str) -> None:
    """As code, as a cell, or in a sentence."""
    for shown in (cell(text), sentence(text)):
        assert not {"<", "[", "]", ">"} & set(shown)
    assert "`" in text or code(text) == f"`{text}`"
    assert "`" not in text or "`" not in code(text)
