"""Perturbs texts in one dimension at one degree, at random, as the setting `rule` does."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from builder.dimensions import DIMENSIONS
from builder.filters import FILTERS
from builder.filters.filter import FilterContext
from builder.models.resources import Resources
from builder.operations.dimension import HIGHEST_DEGREE, AnyDimension, SentenceDimension
from builder.searches import SEARCHES
from builder.searches.search import SearchRequest
from builder.values.associations import Associations
from builder.values.samples import Sample
from contract.machine.errors import ExitCode, UserError
from contract.machine.hashes import hash_of
from contract.schema.edits import Edit
from contract.schema.records import Record

# Part of what the draws are seeded by: no case of a release is drawn like these.
TASK = "perturbed"
# The filters that keep the label without asking a model.
LABEL_FILTERS = ("legibility", "label-words", "negation")


@dataclass(frozen=True, kw_only=True)
class LabelledText:
    """A text to perturb; the label, an index, keeps words of other labels out where it is known."""

    text: str
    label: int | None = None


@dataclass(frozen=True, kw_only=True)
class PerturbedText:
    """A perturbed text, and how it came about."""

    text: str
    original: str
    dimension: str
    degree: float
    realised_degree: float
    method: str
    edits: tuple[Edit, ...]


def perturb_texts(
    texts: Sequence[LabelledText],
    dimension: str,
    degree: float,
    seed: int,
    *,
    associations: Associations | None = None,
    resources: Resources | None = None,
) -> list[PerturbedText | None]:
    """Return for each text a random case of this degree, or None where the text cannot carry it.

    A case depends on its text and the seed, not on the texts around it; the second copy of a text gets
    another case. With associations, cases that read as another label are not returned.
    """
    own = DIMENSIONS[dimension]
    _check_degree(degree)
    samples = _samples(texts)
    given = replace(resources or Resources(), associations=associations or {})
    request = SearchRequest(
        task=TASK,
        perturbed="text",
        samples=samples,
        dimension=own,
        degrees=_degrees(own, degree),
        n_cases=1,
        seed=seed,
        resources=given,
    )
    found = [record for record in SEARCHES["rule"].run(request).records if record.degree == degree]
    kept = _with_label_kept(found, own, degree, given) if associations else found
    by_sample = {record.sample_id: _perturbed(record) for record in kept}
    return [by_sample.get(sample.id) for sample in samples]


def _check_degree(degree: float) -> None:
    if not 0 < degree <= HIGHEST_DEGREE:
        raise UserError(
            f"degree {degree:g}: expected a number above 0, at most {HIGHEST_DEGREE:g}",
            exit_code=ExitCode.WRONG_USE,
        )


def _degrees(dimension: AnyDimension, degree: float) -> tuple[float, ...]:
    """Return the degree; for rewrites also the one before it, so that rewrites too near are not taken."""
    if not isinstance(dimension, SentenceDimension):
        return (degree,)
    return (*[lower for lower in dimension.degrees if lower < degree][-1:], degree)


def _samples(texts: Sequence[LabelledText]) -> list[Sample]:
    """Return the texts as samples that are named by what they say."""
    copies: Counter[str] = Counter()
    samples = []
    for text in texts:
        name = hash_of(text.text)[:24]
        copies[name] += 1
        # A label that no word speaks for: nothing is known of it.
        label = -1 if text.label is None else text.label
        samples.append(Sample(id=f"{name}-{copies[name]}", text=text.text, text_pair=None, label=label))
    return samples


def _with_label_kept(
    records: list[Record], dimension: AnyDimension, degree: float, resources: Resources
) -> list[Record]:
    for name in LABEL_FILTERS:
        if dimension.level in FILTERS[name].levels:
            context = FilterContext(
                dimension=dimension,
                thresholds=FILTERS[name].thresholds,
                degrees=(degree,),
                resources=resources,
            )
            reasons = FILTERS[name].check(context, records)
            records = [record for record, reason in zip(records, reasons, strict=True) if reason is None]
    return records


def _perturbed(record: Record) -> PerturbedText:
    return PerturbedText(
        text=record.text,
        original=record.original_text or "",
        dimension=record.dimension,
        degree=record.degree or 0.0,
        realised_degree=record.realised_degree or 0.0,
        method=record.method or "",
        edits=tuple(edit for _, edit in record.edits),
    )
