"""Syntax: the same meaning in another syntactic form, by transformations applied one after another."""

from collections.abc import Sequence

from builder.language.clauses.draft import difference
from builder.language.rewriting.soundness import says_the_same
from builder.language.rewriting.walk import Start, Step, brings_in, walk
from builder.language.sentences.paraphraser import paraphrase
from builder.models.resources import Resources
from builder.operations.dimension import Rewrite, SentenceDimension, TextToRewrite
from contract.schema.edits import words_of

# Paraphrases are in no order of distance: a series has few of them, so that all can be measured.
N_PARAPHRASES_A_SERIES = 4


def write_series(texts: Sequence[TextToRewrite], resources: Resources) -> list[list[Rewrite]]:
    """Return for each text rewrites with ever more transformations, and paraphrases if a model is named."""
    starts = [_start(text, resources) for text in texts]
    series = [
        [_rewrite(text.text, step) for step in steps]
        for text, steps in zip(texts, walk(starts, resources.parser), strict=True)
    ]
    if resources.paraphraser is None:
        return series
    paraphrases = [_paraphrases(start, resources.paraphraser) for start in starts]
    return [[*of_text, *more] for of_text, more in zip(series, paraphrases, strict=True)]


def _paraphrases(start: Start, paraphraser: str) -> list[Rewrite]:
    """Return some paraphrases with the same negations and numbers, in random order."""
    if not words_of(start.text):
        return []
    (written,) = paraphrase([start.text], paraphraser)
    kept = [text for text in written if says_the_same(start.text, text) and not brings_in(start, text)]
    chosen = start.draw.sample(kept, min(N_PARAPHRASES_A_SERIES, len(kept)))
    return [_rewrite(start.text, Step(text, ("paraphrase",))) for text in chosen]


def _start(text: TextToRewrite, resources: Resources) -> Start:
    associations = resources.associations
    refused = {
        word for word in text.avoid if text.label is None or associations.get(word, text.label) != text.label
    }
    return Start(text.text, text.draw, frozenset(refused))


def _rewrite(original: str, step: Step) -> Rewrite:
    return Rewrite(tuple(difference(original, step.text)), "+".join(step.methods))


SYNTAX = SentenceDimension(
    name="syntax",
    summary="another syntactic form: moved, split, joined, cleft or turned, with the words that are there",
    stands_for="the same thing said with another sentence structure",
    tag="general",
    degrees=(0.05, 0.1, 0.2),
    write_series=write_series,
    uses=("encoder", "associations", "parser", "paraphraser"),
)
