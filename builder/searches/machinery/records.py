"""Makes the records of candidates."""

from dataclasses import replace

from builder.measures.measure import Change
from builder.measures.words import WORDS
from builder.searches.search import SearchRequest, Source
from builder.values.samples import Sample
from contract.schema.names import case_id
from contract.schema.records import Record


def record_of(
    request: SearchRequest,
    sample: Sample,
    change: Change,
    *,
    setting: str,
    degree: float | None,
    case: int,
    method: str,
    realised_degree: float,
    source: Source | None = None,
) -> Record:
    """Return the record of a candidate, without votes."""
    on_text = request.perturbed == "text"
    return Record(
        id=case_id(sample.id, request.dimension.name, setting, degree, case),
        sample_id=sample.id,
        text=change.text if on_text else sample.text,
        text_pair=sample.text_pair if on_text else change.text,
        original_text=sample.text,
        original_text_pair=sample.text_pair,
        label=sample.label,
        task=request.task,
        dimension=request.dimension.name,
        setting=setting,
        degree=degree,
        realised_degree=realised_degree,
        case=case,
        method=method,
        source=None if source is None else source.name,
        field=request.perturbed,
        edits=tuple((request.perturbed, edit) for edit in change.edits),
        word_modification_rate=WORDS.realised(change),
    )


def numbered(record: Record, case: int, source: Source, *, source_fooled: bool) -> Record:
    """Return a record with another number of its case, and with what it does to its source."""
    name = case_id(record.sample_id, record.dimension, record.setting or "", record.degree, case)
    return replace(record, id=name, case=case, source=source.name, source_fooled=source_fooled)
