"""The ten target templates, and the transformations that can give a sentence the form of each."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from builder.language.parser.parse import Parse
from builder.language.parser.parsing import parse
from builder.language.rewriting.single_steps import single_steps
from builder.language.templates.forms import forms_of
from builder.language.transformations import TRANSFORMATIONS
from builder.values.randomness import Draw

# For each form the transformations that lead to it: a template of SCPN is the top of a constituency tree, one
# of ours is a form, since our trees have dependencies and no constituents.
TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "subject-first": (
        "passive",
        "active",
        "attribution-first",
        "there-removal",
        "there-relative",
        "clause-fronting",
        "phrase-fronting",
        "adverb-fronting",
        "completion",
        "dative",
        "genitive",
        "identity",
        "apposition-expansion",
        "source",
        "purpose",
        "opinion",
        "participle",
        "extraposition",
        "split",
    ),
    "phrase-first": ("phrase-fronting", "place", "day-fronting", "source", "purpose"),
    "adverb-first": ("adverb-fronting", "adverb-place", "connector"),
    "clause-first": ("clause-fronting", "participle", "condition", "concession", "attribution-last"),
    "two-clauses": ("join", "concession", "coordination"),
    "cleft": ("cleft", "object-cleft", "adverbial-cleft", "framing"),
    "what-is": ("pseudo-cleft", "action-cleft"),
    "there-is": ("there-insertion", "there-presentation"),
    "question-word-first": (
        "question-cleft",
        "question-reason",
        "question-phrase",
        "question-passive",
        "question-active",
        "question-preposition",
        "question-superlative",
        "question-nominal",
        "question-existence",
        "question-manner",
    ),
    "question-word-later": (
        "question-fronting",
        "question-possibility",
        "question-order",
        "question-statement",
        "indirect-question",
    ),
}
# So many drafts of a text are tried in one series.
MOST_TRIES = 12
# Forms that a rewrite may keep: what is asked for may stand first before and after.
_MAY_STAY = frozenset({"question-word-first", "subject-first"})


class Realised(NamedTuple):
    """A text that has the form of a template, the template, and the transformation that gave it."""

    text: str
    template: str
    transformation: str


def realise(text: str, draw: Draw, parser: str) -> list[Realised]:
    """Return sound rewrites of a text, each in the form of a template, in random order."""
    (before,) = parse([text], parser)
    names = sorted({name for leading in TEMPLATES.values() for name in leading})
    parts = [TRANSFORMATIONS[name] for name in names]
    return [
        Realised(step.parse.text, template, step.transformation)
        for step in single_steps(before, parts, draw, parser, most=MOST_TRIES)
        if (template := _template(before, step.parse, step.transformation)) is not None
    ]


def _template(before: Parse, after: Parse, transformation: str) -> str | None:
    """Return the template whose form the rewrite gave to a sentence; None where it has none of them."""
    old, new = forms_of(before), forms_of(after)
    brought = _brought(old, new)
    leading = [template for template, names in TEMPLATES.items() if transformation in names]
    for template in leading:
        if template in brought:
            return template
    # The form stayed, and is a template's: the same top, filled in another way.
    kept = [template for template in leading if template in _MAY_STAY and template in new]
    return kept[0] if kept else None


def _brought(old: Sequence[str], new: Sequence[str]) -> set[str]:
    """Return the forms that occur more often than before."""
    return {form for form in new if new.count(form) > old.count(form)}
