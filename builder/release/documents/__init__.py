"""The documents of a release: what people and programs read before they read its rows."""

from pathlib import Path

from builder.release.documents.croissant import croissant_of
from builder.release.documents.datasheet import datasheet_of
from builder.release.documents.evaluation import eval_yaml_of
from builder.release.documents.facts import Facts
from builder.release.documents.readme import readme_of
from contract.machine.errors import bad_inputs
from contract.release.release import Release


def documents_of(release: Release) -> dict[str, str]:
    """Return the documents of a release just built; where facts are missing, the README names them."""
    facts = Facts.gather(release)
    documents = {"README.md": readme_of(facts), "eval.yaml": eval_yaml_of(facts)}
    return documents if facts.missing else {**documents, **_from_all_facts(facts)}


def documents_to_publish(release: Release, repo: str, cards_path: Path | None = None) -> dict[str, str]:
    """Return every document of a release, under its published name; a missing fact is an error."""
    facts = Facts.gather(release, repo=repo, cards_path=cards_path)
    if facts.missing:
        raise bad_inputs(facts.missing)
    return {"README.md": readme_of(facts), "eval.yaml": eval_yaml_of(facts), **_from_all_facts(facts)}


def _from_all_facts(facts: Facts) -> dict[str, str]:
    return {"DATASHEET.md": datasheet_of(facts), "croissant.json": croissant_of(facts)}
