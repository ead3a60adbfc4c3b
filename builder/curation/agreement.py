"""How far annotators agree: Fleiss' kappa, the share of pairs that agree, and Cohen's kappa of two."""

from collections import Counter
from collections.abc import Hashable, Sequence


def fleiss_kappa(table: Sequence[Sequence[int]]) -> float | None:
    """Return Fleiss' kappa of a table with a row a case and a column a label, holding numbers of votes.

    Rows with fewer than two votes are left out. Rows may have different numbers of votes: each counts by the
    share of its own pairs that agree, which is Fleiss' definition where all rows have the same number. None
    where nothing can be compared, or all votes are for one label.
    """
    rows = [row for row in table if sum(row) >= 2]
    if not rows:
        return None
    observed = sum(_agreeing_share(row) for row in rows) / len(rows)
    n_votes = sum(map(sum, rows))
    expected = sum((sum(row[column] for row in rows) / n_votes) ** 2 for column in range(len(rows[0])))
    return None if expected >= 1 else (observed - expected) / (1 - expected)


def pairwise_agreement(table: Sequence[Sequence[int]]) -> float | None:
    """Return the share of pairs of votes on the same case that are for the same label."""
    n_pairs = sum(sum(row) * (sum(row) - 1) for row in table)
    return sum(sum(n * (n - 1) for n in row) for row in table) / n_pairs if n_pairs else None


def cohen_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Return how far two agree beyond chance on the pairs of their answers; None without a difference."""
    if not pairs:
        return None
    observed = sum(left == right for left, right in pairs) / len(pairs)
    lefts, rights = Counter(left for left, _ in pairs), Counter(right for _, right in pairs)
    expected = sum(n * rights[answer] for answer, n in lefts.items()) / len(pairs) ** 2
    return None if expected >= 1 else (observed - expected) / (1 - expected)


def majority(votes: Sequence[int]) -> int | None:
    """Return the label that has more votes than every other one; None where several have as many."""
    most = max(votes, default=0)
    winners = [label for label, n in enumerate(votes) if n == most]
    return winners[0] if most and len(winners) == 1 else None


def _agreeing_share(row: Sequence[int]) -> float:
    n = sum(row)
    return sum(votes * (votes - 1) for votes in row) / (n * (n - 1))
