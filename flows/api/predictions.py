"""Predictions from Python: made by a model, or given as labels, probabilities, a mapping or a data frame."""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contract.machine.errors import ExitCode, UserError
from flows.api.models import Model, asked_as, name_of
from flows.api.releases import AnyRelease, LoadedRelease, load
from flows.api.values import Place, Scratch, html_table, needed, path_of

if TYPE_CHECKING:
    import pandas as pd

FILE = "predictions.jsonl"
MOST_ROWS_SHOWN = 10


class Predictions:
    """A model's predictions for every row of a release, in a file that `score` and `submit` take."""

    def __init__(self, path: Path, *, model: str, scratch: Scratch | None = None) -> None:
        self.path = path
        self.model = model
        # Kept as long as the predictions are used; deleted with them.
        self._scratch = scratch

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a text: id, prediction, probabilities and benchmark."""
        pandas = needed("pandas", "pandas", "to_pandas()")
        kind = Path(self.path.name.removesuffix(".gz")).suffix
        frame: pd.DataFrame
        if kind == ".parquet":
            frame = pandas.read_parquet(self.path)
        elif kind == ".csv":
            frame = pandas.read_csv(self.path)
        else:
            frame = pandas.read_json(self.path, lines=True)
        return frame

    def __repr__(self) -> str:
        place = "" if self._scratch else f", in {self.path}"
        return f"<predictions of {self.model}{place}>"

    def _repr_html_(self) -> str:
        frame = self.to_pandas()
        rows = zip(frame["id"][:MOST_ROWS_SHOWN], frame["prediction"][:MOST_ROWS_SHOWN], strict=True)
        return html_table(f"{self.model}, {len(frame):,} rows", ("id", "prediction"), rows)


# What can be scored: answers by id, or one answer a row in the order of the release's table.
AnyPredictions = "Predictions | Place | Mapping[str, str | int] | Sequence[Any] | pd.DataFrame"


def predict(
    release: AnyRelease,
    model: Model,
    out: Place | None = None,
    *,
    trust: bool = False,
    resume: bool = False,
    progress: bool = False,
) -> Predictions:
    """Ask a model about every row of a release, equal texts once.

    A model is a spec as `hardfrost predict` takes it, a function that takes a list of texts (pairs, in tasks
    about pairs) and returns for each a label, its index or its probabilities, or a fitted scikit-learn
    classifier of raw texts. Without `out` the predictions last as long as the value. `trust` loads files
    that can run code; `resume` goes on where an interrupted prediction into `out` stopped.
    """
    from contract.machine.progress import Bars, Silence
    from evaluator.predicting.predicting import predict as predict_release

    opened = load(release)
    scratch = None if out is not None else Scratch()
    path = scratch.path / FILE if scratch is not None else path_of(out or FILE)
    with asked_as(model) as spec, contextlib.ExitStack() as stack:
        shown = stack.enter_context(Bars()) if progress else Silence()
        predict_release(opened.path, spec, path, is_trusted=trust, is_resumed=resume, progress=shown)
    return Predictions(path, model=name_of(model), scratch=scratch)


@contextlib.contextmanager
def predictions_file(release: LoadedRelease, predictions: Any) -> Iterator[Path]:
    """Yield the file of some predictions; values are written to one that lasts as long as it is needed."""
    if isinstance(predictions, Predictions):
        yield predictions.path
        return
    if isinstance(predictions, str | os.PathLike):
        yield path_of(predictions)
        return
    with tempfile.TemporaryDirectory(prefix="hardfrost-") as folder:
        path = Path(folder) / FILE
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(release, predictions)]
        path.write_text("".join(lines), encoding="utf-8")
        yield path


def _rows(release: LoadedRelease, predictions: Any) -> Iterator[dict[str, Any]]:
    if isinstance(predictions, Mapping):
        yield from ({"id": str(name), **_answer(value)} for name, value in predictions.items())
    elif hasattr(predictions, "columns"):
        yield from _rows_of_frame(predictions)
    else:
        ids = release.table["id"].to_pylist()
        if len(predictions) != len(ids):
            raise UserError(
                f"{len(predictions)} predictions for {len(ids)} rows; give one for each row of"
                " load(release).table, or a mapping from id to prediction",
                exit_code=ExitCode.WRONG_USE,
            )
        answers = predictions.tolist() if hasattr(predictions, "tolist") else predictions
        yield from ({"id": name, **_answer(value)} for name, value in zip(ids, answers, strict=True))


def _rows_of_frame(frame: Any) -> Iterator[dict[str, Any]]:
    missing = [name for name in ("id", "prediction") if name not in frame.columns]
    if missing:
        raise UserError(
            f"the predictions have no column {missing[0]!r}; give a data frame with id and prediction",
            exit_code=ExitCode.WRONG_USE,
        )
    has_probabilities = "probabilities" in frame.columns
    columns = [frame[name] for name in ("id", "prediction", *(["probabilities"] * has_probabilities))]
    for name, value, *probabilities in zip(*columns, strict=True):
        row = {"id": name, **_answer(value)}
        yield row | {"probabilities": list(probabilities[0])} if probabilities else row


def _answer(value: Any) -> dict[str, Any]:
    """Return a label or an index as a prediction; of probabilities, the most likely index beside them."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(plain, list | tuple):
        row = [float(part) for part in plain]
        return {"prediction": row.index(max(row)), "probabilities": row}
    return {"prediction": plain}
