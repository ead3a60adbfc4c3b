"""The setting `score`: words in the order in which hiding them hurts, each changed as hurts most."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial

import numpy as np

from builder.operations.dimension import (
    Dimension,
    ProbabilityDimension,
    SentenceDimension,
    SingleWordDimension,
)
from builder.searches.machinery.attack import Attack, pair_with
from builder.searches.machinery.attacked_words import refuse_probabilities
from builder.searches.machinery.attempts import count_attempts, strongest_first
from builder.searches.machinery.chosen_pieces import choose_pieces
from builder.searches.machinery.edit_paths import TAKE_UNASKED, Question, walk
from builder.searches.machinery.editable_texts import EditableText
from builder.searches.machinery.garbage_collection import rare_collections
from builder.searches.machinery.kept_batches import KeptBatches
from builder.searches.machinery.rewrite_bins import search_rewrites
from builder.searches.machinery.single_word_attack import search_single_words
from builder.searches.rule import NAME as RULE_NAME
from builder.searches.search import DegreeCounts, Search, SearchRequest, SearchResult
from builder.searches.textattacks.search import search_with_textattack
from classifiers.machinery.classifier import EXPENSIVE, Numbers
from contract.schema.drop_reasons import SOURCE_ALREADY_WRONG, WEAKER_THAN_OTHERS
from contract.schema.records import Record

NAME = "score"
# How many candidates the cheap screener picks for an expensive source.
SHOWN_TO_THE_EXPENSIVE = 3
# After so many questions of a path the source is shown the screener's first choice alone: by then the path
# has changed the words that matter most. An encoder is not even asked about it, only when a budget is met.
QUESTIONS_WITH_A_CHOICE = 30
# From so many rewrites of a bin the strongest are taken: as many as `rule` makes unless a recipe says else.
REWRITES_OF_A_BIN = 5
_rewrites: KeptBatches[SearchResult] = KeptBatches()


def search(request: SearchRequest) -> SearchResult:
    """Return the cases that a greedy search against the source's probabilities finds."""
    if isinstance(request.dimension, SentenceDimension):
        return _most_harmful_rewrites(request, request.dimension)
    if isinstance(request.dimension, ProbabilityDimension):
        return refuse_probabilities(request.dimension, NAME)
    if isinstance(request.dimension, SingleWordDimension):
        return search_single_words(request, request.dimension, NAME, by_gradients=False)
    if request.tool is not None:
        return search_with_textattack(request, request.dimension, NAME, request.tool)
    return _greedy_attack(request, request.dimension)


@rare_collections()
def _greedy_attack(request: SearchRequest, dimension: Dimension) -> SearchResult:
    attack = Attack(request, dimension, NAME)
    paths = attack.lay_paths(probability_drops(request, attack.texts))
    walk(paths, partial(_answer, request))
    return attack.result(paths)


def probability_drops(request: SearchRequest, texts: Sequence[EditableText]) -> list[Numbers]:
    """Return for each word how much of the true label's probability is lost when it is hidden."""
    inference = request.attacked_source.inference
    pairs = [
        pair_with(request, text, shown)
        for text in texts
        for shown in (text.original, *_with_hidden_words(text, inference.mask_token))
    ]
    rows = iter(inference.ask(pairs))
    drops = []
    for text in texts:
        label = text.sample.label
        whole = next(rows)[label]
        drops.append(np.array([whole - next(rows)[label] for _ in text.words]))
    return drops


def _with_hidden_words(text: EditableText, mask_token: str | None) -> list[str]:
    """Return the text once for each word, with that word masked or left out."""
    return [
        text.original[: word.start] + (mask_token or "") + text.original[word.end :] for word in text.words
    ]


def _answer(request: SearchRequest, questions: Sequence[Question]) -> list[Numbers]:
    """Return for each text that a path asks about how probable the source holds the true label."""
    source = request.attacked_source
    pairs = [
        [pair_with(request, question.path.text, changed) for changed in question.texts]
        for question in questions
    ]
    labels = [question.path.text.sample.label for question in questions]
    # For each question the indices of the texts that the source is shown: all, or what the screener picks.
    shown = [list(range(len(of_question))) for of_question in pairs]
    answers = [np.full(len(question.texts), np.inf) for question in questions]
    if source.screener is not None:
        rows = source.screener.ask([pair for of_question in pairs for pair in of_question])
        for place, scores in enumerate(_true_label(rows, labels, shown)):
            has_choice = questions[place].path.n_queries < QUESTIONS_WITH_A_CHOICE
            is_guided = source.inference.cost >= EXPENSIVE and not has_choice
            if is_guided and questions[place].changes:
                answers[place][_lowest(scores, 1)] = TAKE_UNASKED
                shown[place] = []
            else:
                shown[place] = _lowest(scores, SHOWN_TO_THE_EXPENSIVE if has_choice or is_guided else 1)
    rows = source.inference.ask([pairs[place][each] for place, few in enumerate(shown) for each in few])
    for question, answer, few, scores in zip(
        questions, answers, shown, _true_label(rows, labels, shown), strict=True
    ):
        question.path.n_queries += len(few)
        answer[few] = scores
    return answers


def _lowest(scores: Numbers, n: int) -> list[int]:
    """Return the indices of the lowest scores."""
    return [int(index) for index in np.argsort(scores, kind="stable")[:n]]


def _true_label(rows: Numbers, labels: Sequence[int], shown: Sequence[Sequence[int]]) -> list[Numbers]:
    """Return for each question the true label's probability of each text that is shown."""
    by_question = []
    start = 0
    for label, few in zip(labels, shown, strict=True):
        by_question.append(rows[start : start + len(few), label])
        start += len(few)
    return by_question


def _most_harmful_rewrites(request: SearchRequest, dimension: SentenceDimension) -> SearchResult:
    """Return of the rewrites in each bin those that hurt most: those of `rule`, and chosen ones.

    The rewrites of `rule` are measured in both settings, so the second finds their embeddings in the cache.
    Where a dimension is made of pieces, further rewrites have pieces chosen by what they do to the source.
    """
    source = request.attacked_source
    # Whichever source is attacked, the rewrites are the same.
    wide = replace(request, n_cases=max(REWRITES_OF_A_BIN, request.n_attempts), source=None, first_case=0)
    found = _rewrites.get(
        (wide,), lambda: search_rewrites(wide, dimension, setting=NAME, drawn_as=RULE_NAME, keeps_all=True)
    )
    pool = SearchResult(records=found.records, counts=deepcopy(found.counts))
    votes = source.inference.votes([(sample.text, sample.text_pair) for sample in request.samples])
    is_right = {
        sample.id: request.attacks_all or vote == sample.label
        for sample, vote in zip(request.samples, votes, strict=True)
    }
    attacked = []
    for record in pool.records:
        if is_right[record.sample_id]:
            attacked.append(replace(record, case=request.first_case))
        else:
            pool.counts[record.degree or 0.0].drop(SOURCE_ALREADY_WRONG, record.sample_id)
    if dimension.write_pieces is not None:
        attacked += _with_chosen_pieces(request, dimension, attacked, pool.counts)
        order = {sample.id: number for number, sample in enumerate(request.samples)}
        attacked.sort(key=lambda record: (order[record.sample_id], record.degree or 0.0))
    kept = []
    for attempt in strongest_first(source, attacked):
        record = attempt.record
        if record.case < request.first_case + request.n_attempts:
            kept.append(attempt)
        else:
            pool.counts[record.degree or 0.0].drop(WEAKER_THAN_OTHERS, record.sample_id)
    count_attempts(kept, pool.counts)
    for counts in pool.counts.values():
        # What no rewrite reaches is not carried; so every sample that carries a degree has an attempt.
        counts.n_attackable = counts.n_attacked
    return SearchResult(records=[attempt.record for attempt in kept], counts=pool.counts)


def _with_chosen_pieces(
    request: SearchRequest,
    dimension: SentenceDimension,
    known: Sequence[Record],
    counts: dict[float, DegreeCounts],
) -> list[Record]:
    """Return rewrites whose pieces are chosen by what they do to the source, counted as candidates."""
    chosen = choose_pieces(request, dimension, known, NAME)
    for record in chosen:
        counts[record.degree or 0.0].n_candidates += 1
    return [replace(record, case=request.first_case) for record in chosen]


SCORE = Search(
    name=NAME,
    summary="words in the order in which hiding them hurts a source, each changed as hurts it most",
    run=search,
    degree_kinds=("budget", "bin", "none"),
)
