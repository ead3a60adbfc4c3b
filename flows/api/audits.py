"""Audits from Python: a model of one's own attacked on texts of one's own, as `hardfrost audit` does it."""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from contract.machine.errors import ExitCode, UserError
from flows.api.models import Estimator, Model, asked_as, name_of, plain_value
from flows.api.scores import Score
from flows.api.values import Place, Scratch, path_of

if TYPE_CHECKING:
    from contract.schema.manifest import Setting

# Where texts and labels that were given as values are kept, in the folder of the audit.
TEXTS = "texts.jsonl"
PAIR, LABEL = ("text", "text_pair"), "label"


def audit(
    model: Model,
    texts: Sequence[Any] | None = None,
    labels: Sequence[Any] | None = None,
    *,
    data: Place | None = None,
    out: Place | None = None,
    limit: int = 200,
    dimensions: Sequence[str] = ("quick",),
    degrees: Sequence[float] = (),
    settings: Sequence[Literal["rule", "live"]] = (),
    label_names: Sequence[str] = (),
    positive: str | None = None,
    max_queries: int | None = None,
    time_budget: str | float | None = "10m",
    name: str | None = None,
    device: str | None = None,
    batch_size: int | None = None,
    python: Place | None = None,
    seed: int = 0,
    trust: bool = False,
    progress: bool = False,
) -> Score:
    """Attack a model on labelled texts and report where it breaks.

    A model is what `predict` takes. Give texts (pairs, in tasks about pairs) with their labels, or `data`, a
    file whose columns are found. `limit` samples, balanced by label, are changed at random (`rule`) and by
    attacks on the model itself (`live`). `label_names` are the labels in the order of the model's
    probabilities; without them, sorted. `positive` also scores it as a detector of this label. When the time
    budget ends (90s, 10m, 1h, a number of seconds, None for no end), figures are about what is finished.
    `out` is the folder for cases, predictions, result and report; without it, they last as long as the value.
    """
    from classifiers import parse_spec
    from classifiers.machinery.classifier import ModelOptions
    from contract.machine.progress import Bars, Silence
    from flows.audit.command import seconds_of
    from flows.audit.running import AuditRequest, run_audit

    scratch = None if out is not None else Scratch()
    folder = scratch.path if scratch is not None else path_of(out or "")
    path = data_path(texts, labels, data, folder)
    budget = None if time_budget is None else seconds_of(str(time_budget))
    options = ModelOptions(
        device=device, batch_size=batch_size, python_path=None if python is None else path_of(python)
    )
    with asked_as(model_anew(model)) as spec, contextlib.ExitStack() as stack:
        shown = stack.enter_context(Bars()) if progress else Silence()
        request = AuditRequest(
            model=spec,
            data=path,
            text=None if texts is None else PAIR[0],
            text_pair=PAIR[1] if is_pairs(texts) else None,
            label=None if texts is None else LABEL,
            labels=tuple(map(str, label_names)),
            limit=limit,
            dimensions=(dimensions,) if isinstance(dimensions, str) else tuple(dimensions),
            degrees=tuple(degrees),
            settings=_settings(settings, is_paid=parse_spec(spec).kind.is_remote),
            max_queries=max_queries,
            budget_seconds=budget,
            seed=seed,
            is_trusted=trust,
            positive=positive,
            name=name or (None if isinstance(model, str | os.PathLike) else name_of(model)),
            options=options,
        )
        done = run_audit(request, folder, progress=shown, say=shown.say)
    return Score(done.result, folder=done.folder, scratch=scratch)


def model_anew(model: Model) -> Model:
    """Return a function as a value of its own: what it answers may have changed since the last audit."""
    if isinstance(model, str | os.PathLike | Estimator) or not callable(model):
        return model

    def asked(texts: list[Any]) -> Any:
        return model(texts)

    asked.__name__ = name_of(model)
    return asked


def _settings(given: Sequence[str], *, is_paid: bool) -> "tuple[Setting, ...]":
    """Return the settings in their order; without any, both, and only `rule` for a model that costs."""
    from flows.audit.command import SETTINGS

    unknown = [name for name in given if name not in SETTINGS]
    if unknown:
        raise _wrong_use(f"settings: expected {' or '.join(SETTINGS)}, found {unknown[0]!r}")
    return tuple(name for name in SETTINGS if name in given) or SETTINGS[: 1 if is_paid else 2]


def data_path(
    texts: Sequence[Any] | None, labels: Sequence[Any] | None, data: Place | None, folder: Path
) -> Path:
    """Return the file with the texts; values are written into the folder."""
    if (texts is None) != (labels is None) or (texts is None) == (data is None):
        raise TypeError("expected either texts and labels or data, a file with both")
    if data is not None:
        return path_of(data)
    if isinstance(texts, str) or texts is None or labels is None:
        raise TypeError("texts: expected a list of texts, found one text; write [text]")
    if len(texts) != len(labels):
        raise _wrong_use(f"{len(texts)} texts and {len(labels)} labels; give one label for each text")
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(texts, labels)]
    (folder / TEXTS).write_text("".join(lines), encoding="utf-8")
    return folder / TEXTS


def _rows(texts: Sequence[Any], labels: Sequence[Any]) -> Iterator[dict[str, str]]:
    for text, label in zip(texts, labels, strict=True):
        fields = {PAIR[0]: text} if isinstance(text, str) else dict(zip(PAIR, text, strict=True))
        yield fields | {LABEL: str(plain_value(label))}


def is_pairs(texts: Sequence[Any] | None) -> bool:
    """Whether texts are pairs of texts."""
    return texts is not None and not isinstance(next(iter(texts), ""), str)


def _wrong_use(message: str) -> UserError:
    return UserError(message, exit_code=ExitCode.WRONG_USE)
