"""The strongest words of each source, measured once a source and task, and kept in the cache."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from builder.dimensions import DIMENSIONS
from builder.recipe.recipe import ATTACKED, Recipe
from builder.singleword import strong_words
from builder.singleword.strong_words import measure_strong_words, rows_of, vocabulary_of
from builder.surrogates.loading import surrogate_of
from builder.surrogates.ready import ReadySurrogate
from builder.surrogates.sources import chosen_sources
from builder.surrogates.surrogate_ref import SurrogateRef
from builder.tasks.task import Task
from builder.values.samples import Sample
from classifiers.machinery.inference import Inference
from contract.machine.code import hash_of_code
from contract.machine.hashes import hash_of
from contract.machine.json_text import canonical_json
from contract.machine.whole_files import write_text
from contract.schema.manifest import TextField
from contract.schema.single_words import StrongWords


@dataclass(frozen=True, kw_only=True)
class WordsJob:
    """A source whose strongest words are wanted, with the rows and words on which they are measured."""

    task: str
    source: SurrogateRef
    rows: tuple[Sample, ...]
    words: tuple[str, ...]
    field: TextField
    n_labels: int

    @property
    def key(self) -> str:
        """The hash of all that can change what is found."""
        rows = [[row.text, row.text_pair, row.label] for row in self.rows]
        code = hash_of_code([strong_words.__name__])
        return hash_of([self.source.fingerprint, rows, self.words, self.field, self.n_labels, code])


def needs_words(recipe: Recipe) -> bool:
    """Whether a dimension of the recipe takes the strongest words of sources."""
    return any(DIMENSIONS[chosen.name].degree_kind == "none" for chosen in recipe.dimensions)


def words_jobs(recipe: Recipe, tasks: Sequence[Task], surrogates: Sequence[ReadySurrogate]) -> list[WordsJob]:
    """Return the sources whose strongest words a recipe needs, each once."""
    if not needs_words(recipe):
        return []
    jobs = []
    for task in tasks:
        info = task.info
        panel = [surrogate for surrogate in surrogates if surrogate.info.task == info.name]
        settings = [setting for setting in recipe.settings if setting in ATTACKED]
        sources = {
            source.info.name: source
            for setting in settings
            for source in chosen_sources(recipe, setting, panel)
        }
        words = tuple(vocabulary_of(task.train))
        rows = tuple(rows_of(task.train, len(info.labels), seed=recipe.seed, task=info.name))
        jobs += [
            WordsJob(
                task=info.name,
                source=source.ref,
                rows=rows,
                words=words,
                field=info.perturbed,
                n_labels=len(info.labels),
            )
            for source in sources.values()
        ]
    return jobs


def known_strong_words(job: WordsJob, cache_path: Path) -> StrongWords | None:
    """Return what an earlier build has measured, if it has."""
    with contextlib.suppress(OSError, ValidationError, UnicodeDecodeError):
        return StrongWords.model_validate_json(_path(job, cache_path).read_text(encoding="utf-8"))
    return None


def strong_words_of(job: WordsJob, cache_path: Path) -> StrongWords:
    """Return the strongest words of a source, from the cache or measured now."""
    known = known_strong_words(job, cache_path)
    if known is not None:
        return known
    classifier = surrogate_of(cache_path, job.source.sha256).classifier
    # Without a cache of answers: no other step asks about these texts.
    votes = Inference(classifier, job.source.sha256, None).votes
    found = measure_strong_words(
        classifier, votes, job.rows, job.words, field=job.field, n_labels=job.n_labels
    )
    write_text(_path(job, cache_path), canonical_json(found.model_dump(mode="json")))
    return found


def with_strong_words(
    surrogates: Sequence[ReadySurrogate], found: Sequence[tuple[WordsJob, StrongWords]]
) -> list[ReadySurrogate]:
    """Return the surrogates, those that are attacked with their strongest words."""
    words = {(job.task, job.source.name): own for job, own in found}
    return [
        surrogate.model_copy(update={"strong_words": words.get((surrogate.info.task, surrogate.info.name))})
        for surrogate in surrogates
    ]


def _path(job: WordsJob, cache_path: Path) -> Path:
    return cache_path / "surrogates" / "strong-words" / f"{job.key}.json"
