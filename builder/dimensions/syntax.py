"""Syntax: the same said in another syntactic form, by transformations that follow one another."""

from collections.abc import Sequence

from builder.language.clauses.draft import difference
from builder.language.rewriting.soundness import says_the_same
from builder.language.rewriting.walk import Start, Step, brings_in, walk
from builder.language.sentences.paraphraser import paraphrase
from builder.models.resources import Resources
from builder.operations.dimension import Rewrite, SentenceDimension, TextToRewrite
from contract.schema.edits import words_of

# Paraphrases stand in no order: a ladder has few enough of them to be measured whole.
N_PARAPHRASES_A_LADDER = 4


def write_series(texts: Sequence[TextToRewrite], resources: Resources) -> list[list[Rewrite]]:
    """Return for each text rewrites with ever more transformations, and paraphrases if a model is named."""
    starts = [_start(text, resources) for text in texts]
    ladders = [
        [_rewrite(subject.text, step) for step in steps]
        for subject, steps in zip(texts, walk(starts, resources.parser), strict=True)
    ]
    if resources.paraphraser is None:
        return ladders
    paraphrases = [_paraphrases(start, resources.paraphraser) for start in starts]
    return [[*ladder, *more] for ladder, more in zip(ladders, paraphrases, strict=True)]


def _paraphrases(start: Start, paraphraser: str) -> list[Rewrite]:
    """Return some paraphrases with the same negations and numbers, in random order."""
    if not words_of(start.text):
        return []
    (written,) = paraphrase([start.text], paraphraser)
    kept = [text for text in written if says_the_same(start.text, text) and not brings_in(start, text)]
    chosen = start.draw.sample(kept, min(N_PARAPHRASES_A_LADDER, len(kept)))
    return [_rewrite(start.text, Step(text, ("paraphrase",))) for text in chosen]


def _start(subject: TextToRewrite, resources: Resources) -> Start:
    associations = resources.associations
    refused = {
        word
        for word in subject.avoid
        if subject.label is None or associations.get(word, subject.label) != subject.label
    }
    return Start(subject.text, subject.draw, frozenset(refused))


def _rewrite(original: str, step: Step) -> Rewrite:
    return Rewrite(tuple(difference(original, step.text)), "+".join(step.methods))


SYNTAX = SentenceDimension(
    name="syntax",
    summary="another syntactic form: moved, split, framed or turned, with the words that are there",
    stands_for="the same thing said with another sentence structure",
    tag="general",
    degrees=(0.05, 0.1, 0.2),
    write_series=write_series,
    uses=("encoder", "associations", "parser", "paraphraser"),
)
