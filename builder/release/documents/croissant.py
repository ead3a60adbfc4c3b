"""croissant.json: the release in MLCommons' Croissant vocabulary, with its terms on responsible use."""

from collections.abc import Mapping
from typing import Any

from builder.release.documents.datasheet import of_tasks
from builder.release.documents.facts import UNPUBLISHED, Facts
from builder.release.documents.front_matter import hub_version
from builder.release.documents.readme import limitations
from builder.release.documents.task_cards import licence_of
from contract.machine.json_text import canonical_json
from contract.schema.manifest import SplitInfo
from contract.schema.records import COLUMNS, SCHEMA

CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
TYPES = {
    "string": "sc:Text",
    "bool": "sc:Boolean",
    "int64": "sc:Integer",
    "int32": "sc:Integer",
    "double": "sc:Float",
}
# Lists and structures are described in the card; Croissant names the columns that hold one value a row.
FLAT = tuple(name for name in COLUMNS if str(SCHEMA.field(name).type) in TYPES)
HUB = "https://huggingface.co/datasets"


def croissant_of(facts: Facts) -> str:
    """Return the description: one file and one record set for every split that has rows."""
    manifest = facts.manifest
    splits = [split for split in manifest.splits if split.rows]
    licences = [f"{task.name}: {licence_of(task, facts.cards[task.name])}" for task in manifest.tasks]
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": manifest.name,
        "version": hub_version(manifest.version),
        "description": facts.opening,
        "license": "; ".join(licences),
        # Of the benchmark itself; those of its sources stand in the card. Not yet published, it has a name.
        "url": _url(facts) or f"urn:hardfrost:{manifest.name}:{manifest.version}",
        "citeAs": _citation(facts),
        "creator": {"@type": "sc:Organization", "name": facts.repo.partition("/")[0]}
        if facts.repo != UNPUBLISHED
        else {"@type": "sc:Organization", "name": "Hardfrost"},
        "isLiveDataset": False,
        "inLanguage": sorted({card.language for card in facts.cards.values()}),
        "keywords": ["adversarial robustness", "text classification", "benchmark"],
        **_responsible(facts),
        "distribution": [_file(facts, split) for split in splits],
        "recordSet": [_record_set(split) for split in splits],
    }
    # Programs read it; indented, it would be twice as long.
    return canonical_json(document) + "\n"


def _responsible(facts: Facts) -> dict[str, Any]:
    """Return the RAI vocabulary's fields."""
    return {
        "rai:dataCollection": of_tasks(facts, "collection"),
        "rai:dataAnnotationProtocol": of_tasks(facts, "annotation"),
        "rai:dataBiases": of_tasks(facts, "biases"),
        "rai:personalSensitiveInformation": of_tasks(facts, "sensitive"),
        "rai:dataLimitations": " ".join(limitations(facts)),
        "rai:dataUseCases": "Comparing text classifiers by robustness; never training.",
        "rai:dataReleaseMaintenancePlan": "Data of a version never change; a correction is a new version.",
    }


def _citation(facts: Facts) -> str:
    """Return how to cite the benchmark itself."""
    manifest = facts.manifest
    maker = manifest.libraries.get("hardfrost")
    made = "" if maker is None else f" Made with Hardfrost {maker}."
    place = _url(facts)
    version = f"{manifest.name}, version {manifest.version}: a frozen adversarial-robustness benchmark."
    return f"{version}{made} Recipe {manifest.recipe_sha256[:12]}.{'' if place is None else f' {place}'}"


def _url(facts: Facts) -> str | None:
    return None if facts.repo == UNPUBLISHED else f"{HUB}/{facts.repo}"


def _file(facts: Facts, split: SplitInfo) -> dict[str, Any]:
    base = _url(facts)
    return {
        "@type": "cr:FileObject",
        "@id": split.path,
        "name": split.path,
        "description": f"{split.rows} rows of {split.config}, split {split.name}{_of_tier(split)}",
        "contentUrl": split.path if base is None else f"{base}/resolve/{facts.tag}/{split.path}",
        "contentSize": f"{split.bytes} B",
        "encodingFormat": "application/x-parquet",
        "sha256": split.sha256,
    }


def _of_tier(split: SplitInfo) -> str:
    if split.tier is not None:
        return f", the cases of the tier {split.tier}"
    return ", the cases of no tier" if split.setting in {"score", "gradient"} else ""


def _record_set(split: SplitInfo) -> dict[str, Any]:
    # The two files of an attacked split are two sets.
    name = "__".join(filter(None, [split.config, split.tier, split.name]))
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"Config {split.config}, split {split.name}{_of_tier(split)}",
        "key": {"@id": f"{name}/id"},
        "field": [_field(name, column, split) for column in FLAT],
    }


def _field(name: str, column: str, split: SplitInfo) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{name}/{column}",
        "name": f"{name}/{column}",
        "description": f"Column {column}",
        "dataType": TYPES[str(SCHEMA.field(column).type)],
        "source": {"fileObject": {"@id": split.path}, "extract": {"column": column}},
    }
