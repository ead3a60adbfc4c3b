"""Results as records of Every Eval Ever, the EvalEval Coalition's shared format for results of any harness.

Written for version 0.2.1 of its `eval.schema.json`. All values of `additional_details` are texts there.
"""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from contract.machine.json_text import canonical_json, pretty_json
from contract.machine.whole_files import write_text
from contract.schema.names import tag_of
from contract.schema.results import Aggregate, Interval, Result

SCHEMA_VERSION = "0.2.1"
Relationship = Literal["first_party", "third_party", "collaborative", "other"]
_DESCRIPTIONS = {
    "average": "Robust recall joined over labels: the share of samples that stay right on a case, on average",
    "worst": "Robust recall joined over labels: the share of samples that stay right on every case",
    "clean": "Recall on the unperturbed samples, joined over labels",
}


def record_of(
    result: Result,
    *,
    source: str,
    relationship: Relationship,
    timestamp: int,
    dataset: str | None = None,
) -> dict[str, Any]:
    """Return a result as a record; `source` is the organisation that gives it, `timestamp` Unix time."""
    model, benchmark = result.model, result.needed_benchmark
    developer = model.organisation or "unknown"
    identity = f"{developer}/{model.name}"
    details = {
        "revision": model.revision,
        "url": model.url,
        "licence": model.licence,
        "n_parameters": None if model.n_parameters is None else str(model.n_parameters),
        "notes": model.notes,
    }
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"{benchmark.name}/{identity}/{timestamp}",
        "retrieved_timestamp": str(timestamp),
        "source_metadata": {
            "source_name": f"{benchmark.name} {benchmark.version}",
            "source_type": "evaluation_run",
            "source_organization_name": source,
            "evaluator_relationship": relationship,
        },
        "eval_library": {
            "name": "hardfrost",
            "version": result.evaluator_version,
            "additional_details": {"signature": result.signature},
        },
        "model_info": {
            "name": model.name,
            "id": identity,
            "developer": developer,
            "additional_details": {name: value for name, value in details.items() if value is not None},
        },
        "evaluation_results": [
            _entry(result, name, estimate, figure, dataset) for name, estimate, figure in _figures(result)
        ],
    }


def write_record(folder: Path, record: dict[str, Any], benchmark: str) -> Path:
    """Write a record where the shared database keeps those of its model; its content names the file."""
    developer, _, name = record["model_info"]["id"].partition("/")
    file = f"{uuid.uuid5(uuid.NAMESPACE_OID, canonical_json(record))}.json"
    path = folder / "data" / _safe(benchmark) / _safe(developer) / _safe(name) / file
    write_text(path, pretty_json(record))
    return path


def _figures(result: Result) -> Iterator[tuple[str, str, Aggregate]]:
    """Yield the name, the estimate and the figure of everything that is scored, the headline first."""
    overall = result.overall
    if overall is not None:
        yield "overall", "average", overall.average
        yield "overall", "worst", overall.worst
        for setting, pair in overall.settings.items():
            yield f"overall/{setting}", "average", pair.average
            yield f"overall/{setting}", "worst", pair.worst
    for task, score in result.tasks.items():
        if score.clean is not None:
            yield f"{task}/clean", "clean", Aggregate(ewma=score.clean.score, ci=score.clean.score_ci)
        for dimension, settings in score.dimensions.items():
            for setting, cell in settings.items():
                for estimate, figure in (("average", cell.average), ("worst", cell.worst)):
                    if figure is not None:
                        yield f"{task}/{dimension}/{setting}", estimate, figure


def _entry(
    result: Result, name: str, estimate: str, figure: Aggregate, dataset: str | None
) -> dict[str, Any]:
    benchmark = result.needed_benchmark
    where = {"dataset_name": f"{benchmark.name} {benchmark.version}"}
    details = {"version": benchmark.version, "manifest_sha256": benchmark.manifest_sha256}
    place = {"source_type": "other"} if dataset is None else {"source_type": "hf_dataset", "hf_repo": dataset}
    if dataset is not None:
        details["revision"] = tag_of(benchmark.version)
    return {
        "evaluation_name": f"{name}/{estimate}",
        "source_data": {**where, **place, "additional_details": details},
        "metric_config": {
            "evaluation_description": _DESCRIPTIONS[estimate],
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0.0,
            "max_score": 1.0,
        },
        "score_details": {"score": figure.ewma, **_uncertainty(result, figure.ci)},
    }


def _uncertainty(result: Result, interval: Interval | None) -> dict[str, Any]:
    if interval is None:
        return {}
    bounds = {
        "lower": interval[0],
        "upper": interval[1],
        "confidence_level": result.settings.confidence,
        "method": "bootstrap over samples",
    }
    return {
        "uncertainty": {"confidence_interval": bounds, "num_bootstrap_samples": result.settings.resamples}
    }


def _safe(name: str) -> str:
    """Return a submitter's name as one folder's name."""
    kept = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)
    return kept.strip(".") or "unknown"
