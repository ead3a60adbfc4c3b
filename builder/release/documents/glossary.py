"""The glossary of attacks on a card: every method of the release, what it does, and a made example."""

from collections.abc import Iterator

from builder.methods import METHODS
from builder.release.documents.facts import Facts
from builder.release.documents.markdown import cell, sentence, table

# Made texts, before and after; no row of any data set.
EXAMPLES = {
    "textbugger": ("The harbour was quiet after the storm.", "The harbour was qu1et after the storm."),
    "textfooler": ("The harbour was quiet after the storm.", "The harbour was calm after the storm."),
    "bert-attack": ("The harbour was quiet after the storm.", "The harbour was silent after the storm."),
    "sememe-pso": ("The harbour was quiet after the storm.", "The port was quiet after the storm."),
    "compattack": ("The harbour was quiet after the storm.", "The harb0ur was calm after the storm."),
    "t3": ("The harbour was quiet after the storm.", "Well, the harbour was quiet, um, after the storm."),
    "scpn": ("The committee wrote the report.", "It was the committee that wrote the report."),
    "advfever": ("Anna Berg is a singer.", "There exists a singer that goes by the name of Anna Berg."),
    "stresstest": ("The harbour was quiet.", "The harbour was quiet and true is true."),
    "checklist": ("The harbour was quiet.", "The harbour was quiet. @xk4tr"),
}


def glossary_lines(facts: Facts) -> Iterator[str]:
    """Yield the attacks that a release names; nothing where it names none."""
    names = [name for name in facts.manifest.recipe.get("methods", ()) if name in METHODS]
    if not names:
        return
    yield "## Attacks"
    yield ""
    yield "Published attacks, as Hardfrost makes them inside its dimensions. The examples are made up."
    yield ""
    yield from table(
        ["attack", "dimension", "what it does", "before", "after"], [_row(name) for name in names], n_texts=5
    )
    yield ""
    for name in names:
        method = METHODS[name]
        yield f"- `{name}`, after {sentence(method.paper)}. {sentence(' '.join(method.departures))}".rstrip()
    yield ""


def _row(name: str) -> list[str]:
    method = METHODS[name]
    before, after = EXAMPLES.get(name, ("", ""))
    return [f"`{name}`", f"`{method.dimension}`", cell(method.summary), cell(before), cell(after)]
