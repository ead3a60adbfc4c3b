"""Single words from Python: how often one exchanged word flips a model's answer."""

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from flows.api.audits import LABEL, PAIR, data_path, is_pairs, model_anew
from flows.api.models import Model, asked_as
from flows.api.values import Place, Scratch, path_of

if TYPE_CHECKING:
    from contract.schema.single_words import SingleWordReport
    from flows.singleword.running import SingleWords


class SingleWordScore:
    """ρ of a model and κ of words; `report` has everything that singleword.json has."""

    def __init__(self, done: "SingleWords", scratch: Scratch | None) -> None:
        self._done = done
        # The files last as long as this value.
        self._scratch = scratch

    @property
    def report(self) -> "SingleWordReport":
        """All figures."""
        return self._done.report

    @property
    def rho(self) -> float | None:
        """ρ on training rows, if they were given."""
        return None if self.report.train is None else self.report.train.rho

    @property
    def rho_star(self) -> float | None:
        """ρ on other rows."""
        return None if self.report.test is None else self.report.test.rho

    @property
    def meaning(self) -> str:
        """Whether figures are exact, bounds or an estimate."""
        return self.report.meaning

    @property
    def kappa(self) -> dict[str, float]:
        """κ of every word that was tried, the strongest first."""
        return {word.word: word.kappa for word in self._done.words}

    @property
    def folder(self) -> Path | None:
        """Where figures, words and page are."""
        return self._done.folder

    def __repr__(self) -> str:
        rho = self.rho_star if self.rho is None else self.rho
        return f"SingleWordScore(rho={'none' if rho is None else f'{rho:.3f}'}, {self.report.search})"


def singleword(
    model: Model,
    texts: Sequence[Any] | None = None,
    labels: Sequence[Any] | None = None,
    *,
    data: Place | None = None,
    train: Place | None = None,
    out: Place | None = None,
    limit: int = 200,
    m: int | None = 512,
    exact: bool = False,
    variant: Literal["euba", "top1", "no-mask"] = "euba",
    vocabulary: Place | None = None,
    label_names: Sequence[str] = (),
    max_questions: int | None = None,
    attack: bool = False,
    time_budget: str | float | None = "10m",
    device: str | None = None,
    batch_size: int | None = None,
    python: Place | None = None,
    seed: int = 0,
    trust: bool = False,
    progress: bool = False,
) -> SingleWordScore:
    """Measure how often one exchanged word flips a model's answer, and which words do it.

    Models, texts and labels are given as `audit` takes them. `train` is a file with the model's training
    rows, for ρ on these. `m` failures in a row end a phase of the search (None: nothing does); `exact` tries
    every word at every position. `vocabulary` is a file with one word a line; without it, the words are the
    model's own or those of the data. `attack` also attacks the rows with the strongest words. `meaning` says
    whether figures are exact, bounds or an estimate.
    """
    from contract.machine.progress import Bars, Silence
    from flows.audit.command import seconds_of
    from flows.singleword.running import SingleWordRequest, run_singleword

    started = time.monotonic()
    scratch = None if out is not None else Scratch()
    folder = scratch.path if scratch is not None else path_of(out or "")
    path = data_path(texts, labels, data, folder)
    with asked_as(model_anew(model)) as spec, contextlib.ExitStack() as stack:
        shown = stack.enter_context(Bars()) if progress else Silence()
        request = SingleWordRequest(
            model=spec,
            data=path,
            train=None if train is None else path_of(train),
            text=None if texts is None else PAIR[0],
            text_pair=PAIR[1] if is_pairs(texts) else None,
            label=None if texts is None else LABEL,
            labels=tuple(map(str, label_names)),
            limit=limit,
            m=float("inf") if m is None else m,
            is_exact=exact,
            variant=variant,
            vocabulary=None if vocabulary is None else path_of(vocabulary),
            max_questions=max_questions,
            is_attack=attack,
            budget_seconds=None if time_budget is None else seconds_of(str(time_budget)),
            seed=seed,
            is_trusted=trust,
            device=device,
            batch_size=batch_size,
            python_path=None if python is None else path_of(os.fspath(python)),
        )
        done = run_singleword(request, folder, progress=shown, say=shown.say, started=started)
    return SingleWordScore(done, scratch)
