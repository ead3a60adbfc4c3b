"""The setting `score`: words in the order in which hiding them hurts, each changed as hurts most."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from builder.operations.dimension import Dimension, SentenceDimension
from builder.searches.machinery.attack import Attack, count_success, pair_with
from builder.searches.machinery.edit_paths import EditPath, walk
from builder.searches.machinery.editable_texts import EditableText
from builder.searches.machinery.garbage_collection import rare_collections
from builder.searches.machinery.records import renumbered
from builder.searches.machinery.rewrite_bins import search_rewrites
from builder.searches.rule import NAME as RULE_NAME
from builder.searches.search import Search, SearchRequest, SearchResult
from builder.searches.textattacks.search import search_with_textattack
from classifiers.machinery.classifier import Numbers
from contract.schema.drop_reasons import SOURCE_ALREADY_WRONG, WEAKER_THAN_OTHERS

NAME = "score"
# How many candidates the cheap screener picks for an expensive source.
SHOWN_TO_THE_EXPENSIVE = 3


def search(request: SearchRequest) -> SearchResult:
    """Return the cases that a greedy search against the source's probabilities finds."""
    if isinstance(request.dimension, SentenceDimension):
        return _most_harmful_rewrites(request, request.dimension)
    if request.tool is not None:
        return search_with_textattack(request, request.dimension, NAME, request.tool)
    return _greedy_attack(request, request.dimension)


@rare_collections()
def _greedy_attack(request: SearchRequest, dimension: Dimension) -> SearchResult:
    attack = Attack(request, dimension, NAME)
    paths = attack.lay_paths(probability_drops(request, attack.texts))
    walk(paths, partial(_choose_most_harmful, request), request.attacked_source.max_queries)
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


def _choose_most_harmful(request: SearchRequest, paths: Sequence[EditPath]) -> list[int]:
    """Return for each path the change after which the source gives the true label least probability."""
    source = request.attacked_source
    pairs = [[pair_with(request, path.text, changed) for changed in path.texts()] for path in paths]
    labels = [path.text.sample.label for path in paths]
    # For each path the indices of the changes that the source is shown: all, or what the screener picks.
    shown = [list(range(len(of_path))) for of_path in pairs]
    if source.screener is not None:
        rows = source.screener.ask([pair for of_path in pairs for pair in of_path])
        shown = [_lowest(scores) for scores in _true_label(rows, labels, shown)]
    rows = source.inference.ask([pairs[place][each] for place, few in enumerate(shown) for each in few])
    for path, few in zip(paths, shown, strict=True):
        path.n_queries += len(few)
    scores_by_path = _true_label(rows, labels, shown)
    return [few[int(np.argmin(scores))] for few, scores in zip(shown, scores_by_path, strict=True)]


def _lowest(scores: Numbers) -> list[int]:
    """Return the indices of the lowest scores."""
    return [int(index) for index in np.argsort(scores, kind="stable")[:SHOWN_TO_THE_EXPENSIVE]]


def _true_label(rows: Numbers, labels: Sequence[int], shown: Sequence[Sequence[int]]) -> list[Numbers]:
    """Return for each path the true label's probability after each change that was shown."""
    by_path = []
    start = 0
    for label, few in zip(labels, shown, strict=True):
        by_path.append(rows[start : start + len(few), label])
        start += len(few)
    return by_path


def _most_harmful_rewrites(request: SearchRequest, dimension: SentenceDimension) -> SearchResult:
    """Return of the rewrites in each bin those that hurt most; the rewrites are those of `rule`.

    The same rewrites are measured in both settings, so the second finds their embeddings in the cache.
    """
    source = request.attacked_source
    pool = search_rewrites(request, dimension, setting=NAME, drawn_as=RULE_NAME, keeps_all=True)
    originals = [(sample.text, sample.text_pair) for sample in request.samples]
    votes = source.inference.votes(originals)
    vote_of = {sample.id: vote for sample, vote in zip(request.samples, votes, strict=True)}
    rows = source.inference.ask([(record.text, record.text_pair) for record in pool.records])
    # By sample and degree: the true label's probability, and the index of the rewrite in the pool.
    groups: dict[tuple[str, float], list[tuple[float, int]]] = {}
    for index, record in enumerate(pool.records):
        degree = record.degree or 0.0
        if vote_of[record.sample_id] == record.label:
            probability = float(rows[index, record.label])
            groups.setdefault((record.sample_id, degree), []).append((probability, index))
        else:
            pool.counts[degree].drop(SOURCE_ALREADY_WRONG, record.sample_id)
    records = []
    for (sample_id, degree), rewrites in groups.items():
        best = sorted(rewrites)[: request.n_cases]
        pool.counts[degree].drop(WEAKER_THAN_OTHERS, sample_id, len(rewrites) - len(best))
        for number, (_, index) in enumerate(best):
            records.append(renumbered(pool.records[index], request.first_case + number, source))
    count_success(source, records, pool.counts)
    return SearchResult(records=records, counts=pool.counts)


SCORE = Search(
    name=NAME,
    summary="words in the order in which hiding them hurts a source, each changed as hurts it most",
    run=search,
)
