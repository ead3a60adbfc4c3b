"""Which search suits a classifier, and what its figures mean."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from builder.singleword.brute_force import brute_force_row
from builder.singleword.euba import DEFAULT_M, Euba, Variant, scores_with
from builder.singleword.linear_sums import LinearSums, agrees
from builder.singleword.matrix import Row, Votes
from builder.singleword.sentences import Sentence
from classifiers.machinery.classifier import Classifier
from classifiers.machinery.gradients import ByEmbeddings
from classifiers.machinery.single_words import WordScorer, linear_form_of
from contract.schema.single_words import SearchName

# Texts on which the sums of a linear classifier are compared with its own answers.
N_TRIED = 4
NAMES: dict[Variant, SearchName] = {"euba": "euba", "top1": "euba-top1", "no-mask": "euba-no-mask"}


@dataclass(frozen=True, kw_only=True)
class SearchChoice:
    """What the user asks for."""

    m: float = DEFAULT_M
    is_exact: bool = False
    variant: Variant = "euba"


@dataclass(frozen=True, kw_only=True)
class Search:
    """A search, text by text; without a function, words are drawn and tried in all texts."""

    name: SearchName
    row: Callable[[Sentence], Row] | None = None


def search_for(
    classifier: Classifier,
    words: Sequence[str],
    votes: Votes,
    choice: SearchChoice,
    *,
    sentences: Sequence[Sentence],
    n_labels: int,
) -> Search:
    """Return the strongest search that a classifier allows: sums, brute force if asked for, or gradients."""
    form = linear_form_of(classifier)
    if form is not None:
        sums = LinearSums(form, words)
        if agrees(sums, sentences[:N_TRIED], words, votes):
            return Search(name="sums", row=sums.row)
    if choice.is_exact:
        return Search(name="brute-force", row=partial(brute_force_row, words=words, votes=votes))
    if not isinstance(classifier, ByEmbeddings):
        return Search(name="sampled")
    euba = Euba(
        words=words,
        n_labels=n_labels,
        votes=votes,
        scores=scores_with(WordScorer.of(classifier, words), choice.variant),
        m=choice.m,
        variant=choice.variant,
    )
    return Search(name=NAMES[choice.variant], row=euba.row)
