"""One search over sets of rows, within the time that there is."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from builder.live.clock import Clock
from builder.live.model import OutOfTimeError
from builder.singleword.matrix import Matrix, Votes, matrix_of
from builder.singleword.measures import measured_rho
from builder.singleword.sampled import sampled_matrix
from builder.singleword.search import Search, SearchChoice
from builder.singleword.sentences import Sentence
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of_file
from contract.machine.progress import Progress
from contract.schema.single_words import SingleWordRobustness


@dataclass(frozen=True, kw_only=True)
class SingleWordChoice:
    """What the user asks for."""

    search: SearchChoice = field(default_factory=SearchChoice)
    vocabulary_path: Path | None = None
    # The most texts that a model is asked about where words are drawn; None: as many as there is time for.
    max_questions: int | None = None
    # Whether texts are also attacked with the strongest words.
    is_attack: bool = False
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One set of rows, its matrix, and which of its rows the model had right before."""

    matrix: Matrix
    right: Sequence[Sentence]
    wrong: Sequence[Sentence]
    figures: SingleWordRobustness


class Deadline:
    """When what is going on must end."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._at = float("inf")

    def allow(self, share: float) -> None:
        """Give what comes next a share of the time that is left."""
        self._at = time.monotonic() + share * self._clock.left()

    def check(self) -> None:
        """Raise an error when the time is over."""
        self._clock.check()
        if time.monotonic() >= self._at:
            raise OutOfTimeError


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """Applies one search to sets of rows."""

    words: Sequence[str]
    votes: Votes
    search: Search
    choice: SingleWordChoice
    deadline: Deadline
    progress: Progress

    def rows(self, name: str, path: Path, sentences: Sequence[Sentence]) -> Measured | None:
        """Return the figures of a set of rows; None where the time did not suffice for any."""
        try:
            answers = self.votes([sentence.pair for sentence in sentences])
        except OutOfTimeError:
            return None
        is_right = [sentence.label == vote for sentence, vote in zip(sentences, answers, strict=True)]
        right = [own for own, is_own in zip(sentences, is_right, strict=True) if is_own]
        if not right:
            raise UserError(
                f"{path}: the model has none of {len(sentences)} rows right; nothing can be flipped"
            )
        matrix = self._matrix(name, right)
        if matrix is None:
            return None
        done = right[: len(matrix.is_flipped)]
        # Rows up to the last that was looked at, so that accuracy and matrix are about the same rows.
        n_rows = len(sentences) if len(done) == len(right) else sentences.index(done[-1]) + 1
        drawn = len(matrix.words) < len(self.words)
        measured = measured_rho(matrix, seed=self.choice.seed, are_words_drawn=drawn)
        figures = SingleWordRobustness(
            data=path.name,
            data_sha256=hash_of_file(path),
            n_planned=len(sentences),
            n_rows=n_rows,
            n_samples=len(done),
            accuracy=sum(is_right[:n_rows]) / n_rows,
            n_words=len(matrix.words),
            n_questions=matrix.n_questions,
            rho=measured.value,
            low=measured.interval.low,
            high=measured.interval.high,
            lower_bound=measured.lower_bound,
        )
        wrong = [own for own, is_own in zip(sentences[:n_rows], is_right, strict=False) if not is_own]
        return Measured(matrix=matrix, right=done, wrong=wrong, figures=figures)

    def _matrix(self, name: str, right: Sequence[Sentence]) -> Matrix | None:
        self.progress.stage(f"search, {name} rows", len(right))
        if self.search.row is None:
            most, asked = self.choice.max_questions, 0

            def goes_on(n_questions: int) -> bool:
                nonlocal asked
                asked += n_questions
                return most is None or asked <= most

            return sampled_matrix(
                right,
                self.words,
                self.votes,
                seed=self.choice.seed,
                goes_on=goes_on,
                stop=OutOfTimeError,
            )
        rows = []
        try:
            for sentence in right:
                self.deadline.check()
                rows.append(self.search.row(sentence))
                self.progress.step()
        except OutOfTimeError:
            pass
        return matrix_of(self.words, rows) if rows else None
