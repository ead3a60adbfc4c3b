"""What `hardfrost info` says of attacks counts what each filter did, and nothing else."""

from rich.table import Table

from contract.release.attack_summary import attempts_tables, sources_table
from contract.release.summary import _queries, refused_table
from contract.schema.manifest import AttackInfo, FunnelInfo, Manifest, QueriesInfo, TaskInfo
from contract.schema.records import COLUMNS

SETTING = "score"


def manifest_of(*funnel: FunnelInfo, queries: tuple[QueriesInfo, ...] = ()) -> Manifest:
    """Return a manifest without files."""
    task = TaskInfo(
        name="mr",
        labels=("negative", "positive"),
        fields=("text",),
        source="mr",
        licence="MIT",
        n_samples=100,
        n_train=1000,
    )
    return Manifest(
        name="made",
        version="1",
        seed=0,
        min_samples=1,
        recipe={},
        recipe_sha256="0" * 64,
        columns=COLUMNS,
        tasks=(task,),
        dimensions=(),
        surrogates=(),
        funnel=funnel,
        queries=queries,
        overlap=(),
        libraries={},
        canary="canary",
        splits=(),
    )


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
        n_source_fooled=n_frozen // 2,
        n_transferable=n_frozen // 10,
        attacks={
            "word-tfidf": AttackInfo(
                n_attackable=80, n_attacked=60, n_fooled=45, n_weaker=3, n_frozen=n_frozen
            )
        },
    )


def cells(table: Table) -> list[tuple[str, ...]]:
    """Return the rows of a table."""
    return list(zip(*(map(str, column.cells) for column in table.columns), strict=True))


def test_rates_are_of_attempts_and_only_filters_of_fidelity_lower_the_first() -> None:
    """Duplicates and full bins are no loss of theirs; a reason that only a user's own filter knows is."""
    lossless = funnel("syntax", n_candidates=50, n_frozen=20, duplicate=20, outside_bin=5, enough_cases=5)
    lossy = funnel("synonym", n_candidates=60, n_frozen=40, duplicate=10, label_word=6, too_long=4)
    (table,) = attempts_tables(manifest_of(lossless, lossy))
    assert cells(table) == [
        ("syntax", "score", "1.000", "20", "0.222", "0.500", "0.100"),
        ("synonym", "score", "0.800", "40", "0.444", "0.500", "0.100"),
    ]


def test_degrees_of_a_dimension_are_counted_together() -> None:
    """One line a dimension and setting; a dimension without attempts has no rates."""
    twice = [funnel("syntax", n_candidates=20, n_frozen=20) for _ in range(2)]
    nothing = funnel("typo-general", n_candidates=10, n_frozen=0, reads_as_negation=10)
    (table,) = attempts_tables(manifest_of(*twice, nothing))
    assert [row[3] for row in cells(table)] == ["40", "0"]
    assert cells(table)[1][-2:] == ("", "")


def test_sources_are_counted_over_all_dimensions() -> None:
    """Attacked of attackable, fooled and weaker of attacked, and the frozen attempts."""
    rows = [funnel(name, n_candidates=20, n_frozen=20) for name in ("syntax", "synonym")]
    assert cells(sources_table(manifest_of(*rows))) == [
        ("mr", "score", "word-tfidf", "160", "0.750", "0.750", "0.050", "40")
    ]


def test_questions_are_told_by_surrogate_with_those_that_were_not_asked() -> None:
    """A gradient counts twice; cases without a vote of it are counted."""
    asked = QueriesInfo(
        task="mr",
        dimension="syntax",
        setting=SETTING,
        surrogate="minilm",
        n_search=1000,
        n_screening=5,
        n_not_asked=15,
    )
    table = _queries(manifest_of(funnel("syntax", n_candidates=20, n_frozen=20), queries=(asked,)))
    assert cells(table) == [("mr", "syntax", "score", "minilm", "1,000", "5", "15", "50.2")]


def test_what_dimensions_refuse_stands_beside_what_filters_drop() -> None:
    """So that a filter which drops nothing is seen to come after a dimension that refuses much."""
    counted = funnel("typo-general", n_candidates=50, n_frozen=20, duplicate=10, reads_as_negation=10)
    counted = counted.model_copy(
        update={"n_proposed": 1000, "n_refused": {"reads-as-other-class": 30, "reads-as-negation": 20}}
    )
    other_degree = counted.model_copy(update={"degree": 0.3, "n_dropped": {}})
    uncounted = funnel("syntax", n_candidates=50, n_frozen=20, duplicate=20)
    assert cells(refused_table(manifest_of(counted, other_degree, uncounted))) == [
        (
            "mr",
            "typo-general",
            "score",
            "1,000",
            "0.050",
            "0.111",
            "30 reads-as-negation, 30 reads-as-other-class",
        )
    ]
