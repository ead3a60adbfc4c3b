"""The setting `score`: words in the order in which hiding them hurts, each changed as hurts most."""

from collections.abc import Sequence

import numpy as np

from builder.operations.dimension import SentenceDimension
from builder.searches.machinery.attack import ALREADY_WRONG, Plan, asked, attack, count_success, pair_of
from builder.searches.machinery.paths import Judge, Path, Subject
from builder.searches.machinery.rewrites import search_rewrites
from builder.searches.rule import NAME as RULE_NAME
from builder.searches.search import Findings, Search, SearchRequest, numbered
from builder.searches.textattacks.search import search_with_textattack
from classifiers.machinery.classifier import Numbers

NAME = "score"
# Of an expensive source's candidates, how many the cheap one lets through.
SHOWN_TO_THE_EXPENSIVE = 3
WEAKER = "weaker-than-others"


def search(request: SearchRequest) -> Findings:
    """Return the cases that a greedy search against the source's probabilities finds."""
    if isinstance(request.dimension, SentenceDimension):
        return _best_rewrites(request, request.dimension)
    if request.tool is not None:
        return search_with_textattack(request, request.dimension, NAME, request.tool)
    return attack(request, request.dimension, NAME, Plan(importances=drops, judge=_judge))


def drops(request: SearchRequest, subjects: Sequence[Subject]) -> list[Numbers]:
    """Return for each word how much of the true label's probability is lost when it is hidden."""
    inference = request.victim.inference
    texts = [
        asked(request, pair_of(subject), hidden)
        for subject in subjects
        for hidden in (subject.text.text, *_hidden(subject, inference.mask_token))
    ]
    rows = iter(inference.ask(texts))
    found = []
    for subject in subjects:
        label = subject.sample.label
        whole = next(rows)[label]
        found.append(np.array([whole - next(rows)[label] for _ in subject.text.words]))
    return found


def _hidden(subject: Subject, mask_token: str | None) -> list[str]:
    """Return the text once for each word, with that word masked or left out."""
    text = subject.text.text
    return [text[: word.start] + (mask_token or "") + text[word.end :] for word in subject.text.words]


def _judge(request: SearchRequest, _paths: Sequence[Path]) -> Judge:
    victim = request.victim

    def pick(paths: Sequence[Path]) -> list[int]:
        texts = [[asked(request, pair_of(path.subject), text) for text in path.texts()] for path in paths]
        labels = [path.subject.sample.label for path in paths]
        shown = [list(range(len(of_path))) for of_path in texts]
        if victim.screener is not None:
            rows = victim.screener.ask([each for of_path in texts for each in of_path])
            shown = [_lowest(own) for own in _true_label(rows, labels, shown)]
        asked_now = [texts[place][each] for place, places in enumerate(shown) for each in places]
        scores = _true_label(victim.inference.ask(asked_now), labels, shown)
        for path, places in zip(paths, shown, strict=True):
            path.n_queries += len(places)
        return [places[int(np.argmin(own))] for places, own in zip(shown, scores, strict=True)]

    return pick


def _lowest(scores: Numbers) -> list[int]:
    """Return the places of the lowest scores."""
    return [int(place) for place in np.argsort(scores, kind="stable")[:SHOWN_TO_THE_EXPENSIVE]]


def _true_label(rows: Numbers, labels: Sequence[int], shown: Sequence[Sequence[int]]) -> list[Numbers]:
    """Return for each path the true label's probability with each candidate shown."""
    found = []
    start = 0
    for label, places in zip(labels, shown, strict=True):
        found.append(rows[start : start + len(places), label])
        start += len(places)
    return found


def _best_rewrites(request: SearchRequest, dimension: SentenceDimension) -> Findings:
    """Return of the rewrites in each bin those that hurt most; the ladders are those of `rule`.

    The same rewrites are measured in both settings, so the second finds their embeddings in the cache.
    """
    inference = request.victim.inference
    pool = search_rewrites(request, dimension, setting=NAME, drawn_as=RULE_NAME, keeps_all=True)
    originals = [(sample.text, sample.text_pair) for sample in request.samples]
    guesses = dict(zip([sample.id for sample in request.samples], inference.votes(originals), strict=True))
    rows = inference.ask([(record.text, record.text_pair) for record in pool.records])
    groups: dict[tuple[str, float], list[tuple[float, int]]] = {}
    for place, record in enumerate(pool.records):
        degree = record.degree or 0.0
        if guesses[record.sample_id] == record.label:
            hurts = float(rows[place, record.label])
            groups.setdefault((record.sample_id, degree), []).append((hurts, place))
        else:
            pool.tallies[degree].drop(ALREADY_WRONG)
    records = []
    for (_, degree), members in groups.items():
        best = sorted(members)[: request.n_cases]
        pool.tallies[degree].drop(WEAKER, len(members) - len(best))
        for number, (_, place) in enumerate(best):
            records.append(numbered(request, pool.records[place], request.first_case + number))
    count_success(request.victim, records, pool.tallies)
    return Findings(records=records, tallies=pool.tallies)


SCORE = Search(
    name=NAME,
    summary="words in the order in which hiding them hurts a source, each changed as hurts it most",
    run=search,
)
