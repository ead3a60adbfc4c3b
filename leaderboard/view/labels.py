"""How pages name a model, and in which words they say that its scores do not compare with others."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from contract.schema.leaderboards import Entry
from leaderboard.text.untrusted_text import page_name, shortened
from leaderboard.view.kinship import kin_of

_WHY = {
    "surrogate": "no rank: the cases were made with this model, so its scores in brackets are no results",
    "partial": "no rank: some predictions of the benchmark are left out",
    "no-skill": "no rank: on clean texts no better than guessing",
}
_WHY_UNSCORED = "no rank: no task has clean texts of two labels and cases to score"


@dataclass(frozen=True, kw_only=True)
class ModelLabel:
    """A model's name in tables, and its page.

    `distinct` is the name with organisation and revision, if several models of a leaderboard have the name.
    `kin` names the surrogates that it errs like.
    """

    name: str
    distinct: str
    organisation: str
    revision: str
    page: str
    status: str
    is_surrogate: bool
    kin: str = ""
    # A whole result that has no score all the same: the release lacks what scores are made of.
    is_unscored: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """The words of its badges: why it has no rank, and whether it is a relative of a surrogate."""
        marks = {
            "no skill": self.status == "no-skill",
            "surrogate": self.is_surrogate,
            "partial": self.status == "partial" and not self.is_unscored,
            "not scored": self.is_unscored,
            "kin": bool(self.kin),
        }
        return tuple(mark for mark, holds in marks.items() if holds)

    @property
    def why_unranked(self) -> str:
        """The reason why it has no rank; empty for a ranked model."""
        return _WHY_UNSCORED if self.is_unscored else _WHY.get(self.status, "")


def model_labels(entries: Sequence[Entry]) -> tuple[ModelLabel, ...]:
    """Return the labels of a leaderboard's entries, in order."""
    n_named = Counter(shortened(entry.result.model.name) for entry in entries)
    return tuple(
        _model_label(entry, is_repeated=n_named[shortened(entry.result.model.name)] > 1) for entry in entries
    )


def _model_label(entry: Entry, *, is_repeated: bool) -> ModelLabel:
    model = entry.result.model
    name = shortened(model.name)
    details = " ".join(shortened(text) for text in (model.organisation, model.revision) if text)
    return ModelLabel(
        name=name,
        distinct=f"{name} ({details})" if is_repeated and details else name,
        organisation=shortened(model.organisation or ""),
        revision=shortened(model.revision or ""),
        page=page_name(model.organisation, model.name, model.revision),
        status=entry.status,
        is_surrogate=model.is_surrogate_family,
        is_unscored=entry.result.overall is None and not entry.result.absent,
        kin=shortened(", ".join(kin.surrogate for kin in kin_of(entry.result)[:3])),
    )
