"""Reasons why a candidate is not frozen as a case, in the order in which a build may find them.

A manifest counts dropped candidates by the name of the reason. A filter may bring reasons of its own: it
declares them, and they belong to the stage `fidelity`.
"""

from dataclasses import dataclass
from typing import Literal

from contract.machine.registry import Registry

# search: no case is made of the candidate, or another one is kept instead.
# fidelity: the case changes what a reader understands.
# unasked: surrogates are not asked about the case, since others suffice.
# people: annotators found the frozen case invalid, so the next version lacks it.
# No case is dropped for not fooling anybody.
Stage = Literal["search", "fidelity", "unasked", "people"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a candidate is dropped, and at which stage of a build."""

    name: str
    summary: str
    stage: Stage


SOURCE_ALREADY_WRONG = Reason(
    "source-already-wrong", "the source gives the original text a wrong label", "search"
)
BUDGET_NOT_MET = Reason("budget-not-met", "no edits were found that meet the budget exactly", "search")
UNCHANGED = Reason("unchanged", "no coin fell on a word that the attack can change", "search")
ATTACK_FAILED = Reason("attack-failed", "an attack of TextAttack changed nothing", "search")
OTHER_DEGREE = Reason("other-degree", "what an attack of TextAttack found has another degree", "search")
DEGREE = Reason("degree", "measured anew, the case has another degree", "search")
OUTSIDE_BIN = Reason("outside-bin", "the rewrite has a degree outside of all bins", "search")
BIN_FULL = Reason("bin-full", "the bin of the rewrite has all its cases", "search")
WEAKER_THAN_OTHERS = Reason(
    "weaker-than-others", "other attempts lower the source's probability of the true label more", "search"
)
WEAKER_THAN_LOWER_DEGREE = Reason(
    "weaker-than-lower-degree", "an attempt with fewer edits hurts the source more", "search"
)
DUPLICATE = Reason("duplicate", "the text stands in the split already", "search")
OTHER_TOKENS = Reason(
    "other-tokens",
    "the case has another number of tokens than its original, each of which has a label",
    "search",
)
NO_MORE_CASES = Reason("no-more-cases", "the text has no more different cases at this degree", "search")
READS_AS_NEGATION = Reason("reads-as-negation", "a misspelt word reads as a negation", "fidelity")
READS_AS_OTHER_CLASS = Reason(
    "reads-as-other-class", "a misspelt word reads as one that speaks for another class", "fidelity"
)
LOSES_NEGATION = Reason("loses-negation", "a misspelt negation reads as another word", "fidelity")
READS_AS_OPPOSITE = Reason("reads-as-opposite", "a misspelt word reads as its opposite", "fidelity")
READS_AS_OTHER_NUMBER = Reason(
    "reads-as-other-number",
    "a misspelt word reads as another number, or a number as another word",
    "fidelity",
)
READS_AS_OTHER_NAME = Reason("reads-as-other-name", "a misspelt name reads as another name", "fidelity")
LABEL_WORD = Reason("label-word", "the case brings in a word that speaks for another class", "fidelity")
NEGATION = Reason("negation", "the case has other negations than its original", "fidelity")
TOO_MANY_WORDS = Reason("too-many-words", "too large a share of the words is changed", "fidelity")
ANTONYM = Reason("antonym", "a swapped word can mean the opposite of its original", "fidelity")
OTHER_ENTITIES = Reason("other-entities", "the case has other numbers or names than its original", "fidelity")
OTHER_PART_OF_SPEECH = Reason(
    "other-part-of-speech", "a swapped word is another part of speech than its original", "fidelity"
)
DISSIMILAR = Reason(
    "dissimilar", "the sentence embeddings of case and original are too far apart", "fidelity"
)
DISSIMILAR_TO_SECOND = Reason(
    "dissimilar-to-second", "a second encoder finds case and original too far apart", "fidelity"
)
NOT_FLUENT = Reason(
    "not-fluent", "a masked language model finds the case much less likely than its original", "fidelity"
)
ENOUGH_CASES = Reason("enough-cases", "the sample has all its cases at this degree", "unasked")
HUMAN_CONSENSUS = Reason("human-consensus", "annotators do not agree on a label of the case", "people")
UTILITY = Reason(
    "utility", "annotators agree on another label, or find that the deciding part lost its meaning", "people"
)

REASONS: Registry[Reason] = Registry(
    "reason",
    [
        SOURCE_ALREADY_WRONG,
        BUDGET_NOT_MET,
        UNCHANGED,
        ATTACK_FAILED,
        OTHER_DEGREE,
        DEGREE,
        OUTSIDE_BIN,
        BIN_FULL,
        WEAKER_THAN_OTHERS,
        WEAKER_THAN_LOWER_DEGREE,
        DUPLICATE,
        OTHER_TOKENS,
        NO_MORE_CASES,
        READS_AS_NEGATION,
        READS_AS_OTHER_CLASS,
        LOSES_NEGATION,
        READS_AS_OPPOSITE,
        READS_AS_OTHER_NUMBER,
        READS_AS_OTHER_NAME,
        LABEL_WORD,
        NEGATION,
        TOO_MANY_WORDS,
        ANTONYM,
        OTHER_ENTITIES,
        OTHER_PART_OF_SPEECH,
        DISSIMILAR,
        DISSIMILAR_TO_SECOND,
        NOT_FLUENT,
        ENOUGH_CASES,
        HUMAN_CONSENSUS,
        UTILITY,
    ],
)


def stage_of(name: str) -> Stage:
    """Return the stage of a reason by its name; a name that is not listed here is a filter's own."""
    return REASONS[name].stage if name in REASONS else "fidelity"
