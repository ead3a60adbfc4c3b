"""What the data card says of attacks: how many attempts fool their source, and how many transfer."""

from collections import Counter
from collections.abc import Iterator

from builder.release.documents.facts import Facts
from builder.release.documents.markdown import cell, table


def attempts_lines(facts: Facts) -> Iterator[str]:
    """Yield the rates of attacks by dimension and setting, and by source; nothing where none was made."""
    rows = [row for row in facts.manifest.funnel if row.attacks]
    if not rows:
        return
    cells: dict[tuple[str, str, str], Counter[str]] = {}
    sources: dict[tuple[str, str, str], Counter[str]] = {}
    for row in rows:
        counts = {
            "attempts": row.n_frozen,
            "fooled": row.n_source_fooled,
            "transferable": row.n_transferable,
            "samples": row.n_samples_frozen,
            "carrying": row.n_carrying,
        }
        cells.setdefault((row.task, row.dimension, row.setting), Counter()).update(counts)
        for source, attack in row.attacks.items():
            sources.setdefault((row.task, row.setting, source), Counter()).update(attack.model_dump())
    yield "## Attempts"
    yield ""
    yield "All degrees together. `samples`: of those that carry the degree, the share with an attempt. Then,"
    yield "of the attempts, the shares that fool their source, and that also fool enough other families."
    yield ""
    yield from table(
        ["task", "dimension", "setting", "attempts", "samples", "fool source", "transferable"],
        [
            [
                *key,
                str(n["attempts"]),
                _share(n["samples"], n["carrying"]),
                _share(n["fooled"], n["attempts"]),
                _share(n["transferable"], n["attempts"]),
            ]
            for key, n in cells.items()
        ],
        n_texts=3,
    )
    yield ""
    yield "By source, all dimensions and degrees together: samples that carry the degree and that the source"
    yield "has right; the share with an attempt; of these the share of which one fools the source, and"
    yield "the share left out because one at a lower degree hurts the source more; frozen attempts."
    yield ""
    yield from table(
        ["task", "setting", "source", "attackable", "attacked", "fooled", "weaker", "attempts"],
        [
            [
                task,
                setting,
                cell(source),
                str(n["n_attackable"]),
                _share(n["n_attacked"], n["n_attackable"]),
                _share(n["n_fooled"], n["n_attacked"]),
                _share(n["n_weaker"], n["n_attacked"]),
                str(n["n_frozen"]),
            ]
            for (task, setting, source), n in sources.items()
        ],
        n_texts=3,
    )
    yield ""
    yield from _votes(facts)


def _votes(facts: Facts) -> Iterator[str]:
    """Yield what null votes mean, and how many there are."""
    n_not_asked: Counter[str] = Counter()
    for entry in facts.manifest.queries:
        n_not_asked[entry.surrogate] += entry.n_not_asked
    counts = ", ".join(f"{n:,} of {cell(name)}" for name, n in sorted(n_not_asked.items()) if n)
    yield "A case is transferable when its source is fooled and `transfer` reaches the recipe's `min_fooled`."
    yield "`transfer` is the share of families that are fooled, among those other than the source's of which"
    yield "a surrogate has the original right; it is empty where fewer than two families do."
    if counts:
        yield f"Expensive surrogates were not asked where no tier depends on them: no votes on {counts};"
        yield "`transfer` is empty in rows that lack a vote it depends on, and these are never in the tier."
    yield ""


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else ""
