"""The commands that turn published benchmarks into releases: import advglue, anli, advsquad and others."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from contract.machine.terminal import echo, echo_data
from contract.schema.names import CLEAN

if TYPE_CHECKING:
    from contract.schema.manifest import Manifest

# What each command says of itself; how files are read is known to builder.release.importing.human_sets.
_HUMAN_SETS = {
    "anli": "Import Adversarial NLI from FILEs like R3/test.jsonl.\n\nA file in a folder R1, R2 or"
    " R3 is of that round.",
    "advsquad": "Import Adversarial SQuAD from FILEs like sample1k-HCVerifyAll.json, as rows of"
    " QNLI.\n\nEach row is a question and the sentence that was added to distract from its answer,"
    " so its label is not_entailment.",
    "checklist": "Import CheckList's sentiment tests from FILEs with lines of JSON.\n\nEach line"
    " has `test_name`, `text`, `label` (0, 1 or 2 as in CheckList, or a word) and, if known,"
    " `capability`. Its published suites are pickles, which can run code and are never loaded:"
    " write the lines from the suite. Neutral tests are left out.",
    "stresstest": "Import stress tests for NLI from FILEs like multinli_0.9_quant_hard.jsonl; a"
    " file is a dimension.",
    "counterfactual": "Import counterfactually revised reviews from FILEs like test_paired.tsv."
    "\n\nOf the two lines with one `batch_id` the first is taken as the original, the second as its"
    " revision.",
    "contrast": "Import contrast sets of reviews from two FILEs: test_original.tsv, then test_contrast.tsv.",
}


@click.group(name="import")
def import_release() -> None:
    """Turn a benchmark that others published into a release."""


_OUTPUT = click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder for the release."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON.")


@import_release.command()
@click.argument("file", type=click.Path(path_type=Path))
@_OUTPUT
@_JSON
def advglue(file: Path, output: Path, *, as_json: bool) -> None:
    """Import AdvGLUE's dev set from FILE, its published JSON, plain or annotated.

    The release takes predictions by id, or AdvGLUE's own submissions: a .json file with an object that
    gives each task's labels in the order of FILE. Either way `hardfrost score` adds AdvGLUE's average.
    """
    from builder.release.importing.advglue import import_advglue

    _say(import_advglue(file, output), output, as_json=as_json)


def _importer(name: str) -> Callable[..., None]:
    def run(files: tuple[Path, ...], output: Path, *, as_json: bool) -> None:
        from builder.release.importing.human_sets import HUMAN_SETS, import_human_set

        _say(import_human_set(HUMAN_SETS[name], files, output), output, as_json=as_json)

    return run


for _name, _help in _HUMAN_SETS.items():
    _command = click.argument(
        "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
    )(_OUTPUT(_JSON(_importer(_name))))
    import_release.command(name=_name, help=_help)(_command)


def _say(manifest: "Manifest", output: Path, *, as_json: bool) -> None:
    """Print what was written."""
    if as_json:
        echo_data(json.dumps(manifest.to_json(), ensure_ascii=False))
        return
    n_cases = sum(split.rows for split in manifest.splits if split.is_adversarial)
    n_clean = sum(split.rows for split in manifest.splits if split.dimension == CLEAN)
    originals = (
        f"{n_clean:,} originals" if n_clean else "no originals, so nothing will be said of clean texts"
    )
    echo(f"{output}: {manifest.name} {manifest.version}, {n_cases:,} cases, {originals}")
