"""What `hardfrost info` says of attacks counts what each filter did, and nothing else."""

from pathlib import Path

import pytest
from rich.table import Table

from contract.release.summary import _attacks, _queries
from contract.schema.drop_reasons import REASONS
from contract.schema.manifest import AttackInfo, FunnelInfo, Manifest, QueriesInfo

FROZEN = sorted((Path(__file__).parents[3] / "data_cards").glob("*/manifest.json"))
SETTING = "score"


def manifest_of(*funnel: FunnelInfo, queries: tuple[QueriesInfo, ...] = ()) -> Manifest:
    """Return a manifest that is a frozen one but for its funnel and its queries."""
    return Manifest.read(FROZEN[0]).model_copy(update={"funnel": funnel, "queries": queries})


def funnel(dimension: str, *, n_candidates: int, n_frozen: int, **n_dropped: int) -> FunnelInfo:
    """Return the funnel of one degree; reasons are given with underscores."""
    return FunnelInfo(
        task="mr",
        dimension=dimension,
        setting=SETTING,
        degree=0.1,
        n_samples=100,
        n_carrying=90,
        n_candidates=n_candidates,
        n_dropped={reason.replace("_", "-"): n for reason, n in n_dropped.items()},
        n_frozen=n_frozen,
        n_samples_frozen=n_frozen,
        attacks={"word-tfidf": AttackInfo(n_attacked=80, n_fooled=60)},
    )


def cells(table: Table) -> list[tuple[str, ...]]:
    """Return the rows of a table."""
    return list(zip(*(map(str, column.cells) for column in table.columns), strict=True))


def test_only_what_filters_of_fidelity_dropped_is_their_loss() -> None:
    """Neither what the search made twice, or into another bin, nor what others made needless."""
    lossless = funnel(
        "syntax",
        n_candidates=100,
        n_frozen=10,
        duplicate=20,
        weaker_than_others=15,
        outside_bin=10,
        bin_full=5,
        source_already_wrong=10,
        source_not_fooled=15,
        not_transferable=5,
        enough_cases=5,
        label_leaning=5,
    )
    lossy = funnel(
        "synonym", n_candidates=60, n_frozen=20, duplicate=10, label_word=6, dissimilar=4, not_transferable=20
    )
    rows = cells(_attacks(manifest_of(lossless, lossy)))
    assert rows == [
        ("mr", "syntax", SETTING, "0.1", "0.75", "1.000", "0.43"),
        ("mr", "synonym", SETTING, "0.1", "0.75", "0.800", "0.50"),
    ]


def test_a_reason_that_only_a_filter_knows_is_a_loss_of_fidelity() -> None:
    """A filter of a user's own is counted right without a change in the contract."""
    own = funnel("synonym", n_candidates=60, n_frozen=20, duplicate=10, too_long=10, not_transferable=20)
    assert cells(_attacks(manifest_of(own))) == [("mr", "synonym", SETTING, "0.1", "0.75", "0.800", "0.50")]


def test_questions_are_counted_for_each_frozen_case() -> None:
    """Those of searching and of screening together; nothing frozen, no figure."""
    asked = [
        QueriesInfo(
            task="mr", dimension=name, setting=SETTING, surrogate="minilm", n_search=1000, n_screening=50
        )
        for name in ("syntax", "synonym")
    ]
    rows = cells(
        _queries(
            manifest_of(
                funnel("syntax", n_candidates=40, n_frozen=12),
                funnel("syntax", n_candidates=40, n_frozen=8),
                funnel("synonym", n_candidates=40, n_frozen=0),
                queries=tuple(asked),
            )
        )
    )
    assert rows == [
        ("mr", "syntax", SETTING, "minilm", "1,000", "50", "20", "52.5"),
        ("mr", "synonym", SETTING, "minilm", "1,000", "50", "0", ""),
    ]


@pytest.mark.parametrize("path", FROZEN, ids=lambda path: path.parent.name)
def test_every_reason_of_a_frozen_manifest_is_known(path: Path) -> None:
    """One that is not listed would count as dropped by a filter of fidelity."""
    assert {reason for row in Manifest.read(path).funnel for reason in row.n_dropped} <= set(REASONS)
    # And these lose little: hundreds of a hundred thousand cases.
    attacks = cells(_attacks(Manifest.read(path)))
    assert min(float(row[-2]) for row in attacks if row[-2]) > 0.5
