"""Measures what one word can do to a model: data in, vocabulary, search, κ and ρ out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from builder.label_guard.guards import Guard
from builder.live.audit import FIRST_ASKED, check_labels
from builder.live.clock import Clock
from builder.live.model import AuditedModel, ModelChoice, OutOfTimeError, open_model
from builder.live.samples import AuditData, DataChoice, read_data
from builder.live.single_word_rows import Deadline, Measured, Measuring, SingleWordChoice
from builder.singleword.effects import Attacked, effect_of, parts_of_speech
from builder.singleword.matrix import Matrix, Votes
from builder.singleword.measures import kappa, kappa_upper, wilson
from builder.singleword.search import Search, search_for
from builder.singleword.sentences import Sentence, sentences_of
from builder.singleword.sp_attack import SpAttack, SpAttackChoice, SpCase, guarded
from builder.singleword.vocabulary import words_of_data, words_of_file, words_only
from builder.values.associations import Associations
from builder.values.samples import Sample
from classifiers.machinery.classifier import Classifier
from classifiers.machinery.inference import Inference
from classifiers.machinery.single_words import known_words
from contract.machine.cache_folder import cache_path
from contract.machine.errors import ExitCode, UserError
from contract.machine.progress import Progress
from contract.schema.single_words import (
    PartOfSpeech,
    SingleWordAttack,
    SingleWordReport,
    WordEffect,
    WordFlips,
)

# Words that the report names, those whose effect it measures, and those whose parts of speech it counts.
N_NAMED, N_EFFECTS, N_TAGGED = 100, 10, 1000
N_BINS = 20
# The cosine above which the paper calls an attack a success.
LEAST_SIMILAR = 0.8
# Of the time that is left, the share that the first of two sets of rows may take.
FIRST_SHARE = 0.5
Origin = Literal["model", "data", "file"]


@dataclass(frozen=True, kw_only=True)
class SingleWordFigures:
    """A report, and κ of all words that were tried, the strongest first."""

    report: SingleWordReport
    words: tuple[WordFlips, ...]
    # The best flip of each text that was flipped, where an attack was asked for.
    cases: tuple[SpCase, ...] = ()


def measure_single_words(
    data: DataChoice,
    model: ModelChoice,
    choice: SingleWordChoice,
    *,
    clock: Clock,
    progress: Progress,
    say: Callable[[str], None],
) -> SingleWordFigures:
    """Return κ of every word and ρ of a model on the rows of a file and, if given, on training rows."""
    found = read_data(data)
    task, deadline = found.task, Deadline(clock)
    first = {sample.id: (sample.text, sample.text_pair) for sample in task.samples[:FIRST_ASKED]}
    try:
        ready = open_model(model, task.info, first, cache_path(), deadline.check)
    except OutOfTimeError:
        raise _too_late() from None
    check_labels(ready, task)
    classifier = ready.watched.classifier
    words, origin = _vocabulary(choice, classifier, found)
    say(f"{len(words):,} words of letters only, from the {origin}")
    # Without a cache: no other command asks about these texts, and there are millions.
    votes = Inference(ready.watched, ready.ref.sha256, None).votes
    sentences = sentences_of(task.samples, task.info.perturbed)
    search = search_for(
        classifier,
        words,
        votes,
        choice.search,
        sentences=sentences,
        n_labels=len(task.info.labels),
    )
    _check_cost(ready, choice, search, sentences, len(words))
    measuring = Measuring(
        words=words, votes=votes, search=search, choice=choice, deadline=deadline, progress=progress
    )
    parts: list[Measured | None] = []
    sets = [("test", data.path, task.samples)]
    if data.train_path is not None:
        sets.append(("train", data.train_path, _in_turns(task.train, data.n_samples)))
    for left, (name, path, samples) in zip(range(len(sets), 0, -1), sets, strict=True):
        deadline.allow(FIRST_SHARE if left > 1 else 1.0)
        parts.append(measuring.rows(name, path, sentences_of(samples, task.info.perturbed)))
    deadline.allow(1.0)
    test, train = parts[0], parts[1] if len(parts) > 1 else None
    strongest = train or test
    if strongest is None:
        raise _too_late()
    flips = _flips(strongest.matrix)
    rows = [*task.train, *task.samples]
    named = [word for word in flips[:N_EFFECTS] if word.kappa > 0]
    effects = _effects(named, strongest, rows, votes)
    attacked = None
    if choice.is_attack and test is not None:
        attacked = _attack(flips, test.right, votes, task.associations, deadline=deadline, seed=choice.seed)
    report = SingleWordReport(
        model=model.public_name,
        labels=tuple(task.info.labels),
        search=search.name,
        m=_whole(choice.search.m) if search.name.startswith("euba") else None,
        vocabulary=origin,
        n_words=len(words),
        seed=choice.seed,
        budget_seconds=clock.budget_seconds,
        test=None if test is None else test.figures,
        train=None if train is None else train.figures,
        kappa_of="test" if train is None else "train",
        words=flips[:N_NAMED],
        histogram=_histogram(strongest.matrix),
        parts_of_speech=_counted([word for word in flips[:N_TAGGED] if word.kappa > 0]),
        effects=effects,
        attack=None if attacked is None else attacked.figures,
    )
    return SingleWordFigures(report=report, words=flips, cases=() if attacked is None else attacked.cases)


def _vocabulary(
    choice: SingleWordChoice, classifier: Classifier, found: AuditData
) -> tuple[list[str], Origin]:
    """Return the words and where they come from: a file, the model, or else the data."""
    if choice.vocabulary_path is not None:
        return words_of_file(choice.vocabulary_path), "file"
    own = words_only(known_words(classifier))
    if own:
        return own, "model"
    return words_of_data([*found.task.train, *found.task.samples]), "data"


def _check_cost(
    model: AuditedModel,
    choice: SingleWordChoice,
    search: Search,
    sentences: Sequence[Sentence],
    n_words: int,
) -> None:
    """Refuse to spend money unasked, and a limit under which not even one word can be tried."""
    # Brute force is all or nothing.
    n_tried = "one word" if search.row is None else f"each of {n_words:,} words"
    a_word = sum(len(sentence.positions) for sentence in sentences) * (1 if search.row is None else n_words)
    if search.row is not None and not model.kind.is_remote:
        return
    if model.kind.is_remote and choice.max_questions is None:
        raise UserError(
            f"this model's answers may cost money: {n_tried} at every position of {len(sentences)} rows takes"
            f" about {a_word:,} questions; give --max-questions, and fewer rows with --limit",
            exit_code=ExitCode.WRONG_USE,
        )
    if choice.max_questions is not None and choice.max_questions < a_word:
        raise UserError(
            f"--max-questions {choice.max_questions:,}: {n_tried} at every position of {len(sentences)} rows"
            f" takes {a_word:,}; give more, or fewer rows with --limit",
            exit_code=ExitCode.WRONG_USE,
        )


def _flips(matrix: Matrix) -> tuple[WordFlips, ...]:
    """Return all words, the strongest first."""
    shares, most = kappa(matrix), kappa_upper(matrix)
    n = len(matrix.is_flipped)
    intervals = {hits: wilson(hits, n) for hits in range(n + 1)}
    hits = matrix.is_flipped.sum(axis=0).tolist()
    order = sorted(range(len(matrix.words)), key=lambda place: (-hits[place], matrix.words[place]))
    parts = parts_of_speech([matrix.words[place] for place in order])
    return tuple(
        WordFlips(
            word=matrix.words[place],
            kappa=float(shares[place]),
            low=intervals[hits[place]].low,
            high=intervals[hits[place]].high,
            upper_bound=min(1.0, max(0.0, float(most[place]))),
            part_of_speech=part,
        )
        for place, part in zip(order, parts, strict=True)
    )


def _effects(
    words: Sequence[WordFlips], measured: Measured, rows: Sequence[Sample], votes: Votes
) -> tuple[WordEffect, ...]:
    """Return the effects of the strongest words, as many as there is time for."""
    attacked = Attacked(measured.matrix, measured.right, measured.wrong)
    found: list[WordEffect] = []
    field_ = measured.right[0].field
    for word in words:
        try:
            found.append(effect_of(word.word, rows, field_, attacked, votes))
        except OutOfTimeError:
            break
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class _Attacked:
    figures: SingleWordAttack
    cases: tuple[SpCase, ...]


def _attack(
    flips: Sequence[WordFlips],
    sentences: Sequence[Sentence],
    votes: Votes,
    associations: Associations,
    *,
    deadline: Deadline,
    seed: int,
) -> _Attacked | None:
    """Attack texts with the strongest words, as many as there is time for."""
    attack = SpAttack(
        words=[word.word for word in flips if word.kappa > 0],
        votes=votes,
        refusal=guarded(Guard(associations)),
        choice=SpAttackChoice(seed=seed),
    )
    found: list[SpCase | None] = []
    for sentence in sentences:
        try:
            deadline.check()
            found.append(attack.attack(sentence))
        except OutOfTimeError:
            break
    cases = tuple(case for case in found if case is not None)
    if not found:
        return None
    figures = SingleWordAttack(
        n_attacked=len(found),
        n_flipped=len(cases),
        n_similar=sum(case.similarity > LEAST_SIMILAR for case in cases),
        n_questions=attack.n_questions,
        n_candidates=attack.n_candidates,
        n_refused=dict(sorted(attack.n_refused.items())),
    )
    return _Attacked(figures=figures, cases=cases)


def _histogram(matrix: Matrix) -> tuple[int, ...]:
    counts, _ = np.histogram(kappa(matrix), bins=N_BINS, range=(0, 1))
    return tuple(int(count) for count in counts)


def _counted(words: Sequence[WordFlips]) -> dict[PartOfSpeech, int]:
    names = [word.part_of_speech for word in words]
    return {name: names.count(name) for name in sorted(set(names))}


def _in_turns(samples: Sequence[Sample], n: int) -> list[Sample]:
    """Return so many samples, of all labels in turn."""
    by_label: dict[int, list[Sample]] = {}
    for sample in samples:
        by_label.setdefault(sample.label, []).append(sample)
    longest = max(map(len, by_label.values()), default=0)
    turns = [own[place] for place in range(longest) for own in by_label.values() if place < len(own)]
    return turns[:n]


def _whole(m: float) -> int | None:
    return None if np.isinf(m) else int(m)


def _too_late() -> UserError:
    return UserError(
        "the time budget did not suffice to look at one row (or, where words are drawn, at one word in all"
        " rows); give more with --time-budget, or fewer rows with --limit"
    )
