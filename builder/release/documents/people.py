"""What the data card says of curation: what each stage took away, who judged, and how far they agreed."""

from collections.abc import Iterator

from builder.release.documents.facts import Facts
from builder.release.documents.markdown import cell, number, table
from contract.release.filter_rates import filter_rates
from contract.release.people_summary import percent


def filter_lines(facts: Facts) -> Iterator[str]:
    """Yield the filter rates of every task and attack, where cases were attacked or judged."""
    rows = filter_rates(facts.manifest)
    if not rows or (not facts.is_attacked and facts.manifest.annotation is None):
        return
    yield "## Filter rates"
    yield ""
    yield "Of the different cases that searches made, the shares in per cent that each stage took away, all"
    yield "degrees together: cases that are not in the transferable tier (attacked settings), that filters of"
    yield "fidelity drop, on which people do not agree, and that have another meaning for people. They add up"
    yield "to `filtered`. `success`: of the samples that carry a degree, the share with a case that is left."
    yield ""
    names = ["task", "attack", "setting", "cases", "transferability", "fidelity", "human-consensus"]
    yield from table(
        [*names, "utility", "filtered", "success"],
        [
            [
                row.task,
                row.attack,
                row.setting,
                str(row.n_in),
                percent(row.share(row.n_not_transferable)),
                percent(row.share(row.n_fidelity)),
                percent(row.share(row.n_consensus)),
                percent(row.share(row.n_utility)),
                percent(row.share(row.n_filtered)),
                percent(row.success_rate),
            ]
            for row in rows
        ],
        n_texts=3,
    )
    yield ""


def annotator_lines(facts: Facts) -> Iterator[str]:
    """Yield who judged the cases and how far they agreed; nothing where nobody did."""
    info = facts.manifest.annotation
    if info is None:
        return
    yield "## Annotators"
    yield ""
    yield f"{info.n_judged:,} cases were judged; the votes of {info.counted} count. A case needs"
    yield f"{info.min_votes} votes, {info.min_agreement:.0%} of them for the original's label, and most must"
    yield "say that its deciding part keeps its meaning."
    yield f"{info.n_undecided:,} cases had too few votes and stay without a verdict."
    if info.judges:
        yield f"Models were asked as judges: {', '.join(cell(name) for name in info.judges)}."
    yield "Accuracy is that of labels on texts with known answers, of annotators on average and of the vote."
    yield ""
    yield from table(
        [
            "task",
            "kind",
            "annotators",
            "unreliable",
            "cases",
            "accuracy",
            "of the vote",
            "Fleiss kappa",
            "pairs",
        ],
        [
            [
                row.task,
                row.kind,
                *map(str, (row.n_annotators, row.n_unreliable, row.n_cases)),
                *map(number, (row.accuracy, row.accuracy_of_vote, row.kappa, row.pairwise)),
            ]
            for row in info.tasks
        ],
        n_texts=2,
    )
    yield ""
