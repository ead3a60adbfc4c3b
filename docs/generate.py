"""Writes what the code knows into the documentation: tables, examples, reference, JSON Schemas."""

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from contract.machine.json_text import pretty_json
from contract.machine.whole_files import write_text
from contract.schema.documents import Document
from contract.schema.leaderboards import Leaderboard
from contract.schema.manifest import Manifest
from contract.schema.results import Result
from contract.schema.single_words import SingleWordReport
from docs.generators.defences import heat_maps, ranking_table, run_sections
from docs.generators.examples import examples_page
from docs.generators.folders import folders_section
from docs.generators.methods import methods_tables
from docs.generators.python_api import python_api
from docs.generators.rank_check import rank_check_paragraph, rank_check_table
from docs.generators.recipe_keys import recipe_keys_page
from docs.generators.reference import reference_page
from docs.generators.results_table import results_table

END = "<!-- end -->"
ROOT = Path(__file__).parents[1]
SCHEMAS: dict[str, type[Document]] = {
    "manifest": Manifest,
    "result": Result,
    "leaderboard": Leaderboard,
    "singleword": SingleWordReport,
}
EXAMPLES_PATH = Path("docs/dimensions.md")


def pages() -> dict[Path, str]:
    """Return every generated file but the examples, by its path from the project's root."""
    schemas = {
        Path("contract/schema/json_schemas") / f"{name}.json": pretty_json(
            document.model_json_schema(by_alias=True)
        )
        for name, document in SCHEMAS.items()
    }
    return {
        Path("README.md"): _with_blocks(
            "README.md", {"reference results": results_table(), "ranks": rank_check_paragraph()}
        ),
        Path("docs/measured.md"): _with_blocks("docs/measured.md", {"ranks": rank_check_table()}),
        Path("docs/architecture.md"): _with_blocks("docs/architecture.md", {"folders": folders_section()}),
        Path("docs/python.md"): _with_blocks("docs/python.md", {"api": python_api()}),
        Path("docs/methods.md"): _with_blocks("docs/methods.md", {"methods": methods_tables()}),
        Path("docs/reference.md"): "\n".join(reference_page(schemas)) + "\n",
        Path("docs/recipe_keys.md"): "\n".join(recipe_keys_page()) + "\n",
        Path("docs/defences.md"): _with_blocks(
            "docs/defences.md", {"ranking": ranking_table(), "runs": run_sections()}
        ),
        **heat_maps(),
        **schemas,
    }


def stale(generated: dict[Path, str]) -> list[str]:
    """Return the files that are not as the code has them now."""
    return [str(path) for path, text in generated.items() if _read(ROOT / path) != text]


def _with_blocks(page: str, blocks: Mapping[str, Iterable[str]]) -> str:
    """Return a page with other lines between the marks of its blocks."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, lines in blocks.items():
        begin = f"<!-- {name}, by make docs -->"
        before, mark, rest = text.partition(f"{begin}\n")
        if not mark:
            raise ValueError(f"{page} has no mark {begin}; the generated lines go between it and {END}")
        text = "\n".join([f"{before}{begin}", *lines, f"{END}{rest.partition(END)[2]}"])
    return text


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def main() -> None:
    """Write the pages; with --check, only say which are stale."""
    generated = {**pages(), EXAMPLES_PATH: "\n".join(examples_page()) + "\n"}
    changed = stale(generated)
    if "--check" in sys.argv:
        if changed:
            sys.exit(f"stale: {', '.join(changed)}; run `make docs`")
        return
    for path in changed:
        write_text(ROOT / path, generated[Path(path)])
    print(json.dumps(changed))


if __name__ == "__main__":
    main()
