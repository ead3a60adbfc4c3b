"""Each of AdvFever's 23 rules, in our words, turns a claim into one that says the same."""

import pytest

from builder.language.entailment import ENTAILMENT_RULES
from builder.language.parser.parsing import parse
from builder.language.rewriting.walk import rewritten

# Made claims: one that each rule turns, and what it makes of it.
CLAIMS = {
    "there-exists": (
        "Anna Berg is a singer.",
        "There exists a singer that goes by the name of Anna Berg.",
    ),
    "called": ("Anna Berg was a singer.", "There was a singer called Anna Berg."),
    "name-held": ("Anna Berg is a singer.", "A singer has the name Anna Berg."),
    "kind-first": ("The film is a comedy.", "A comedy is what the film is."),
    "what-it-is": ("The film is a comedy.", "What the film is is a comedy."),
    "among": ("The bridge is one of the oldest monuments.", "Among the oldest monuments is the bridge."),
    "country": ("Anna Berg is a French singer.", "Anna Berg is a singer from France."),
    "owned": ("The house has a large garden.", "There is a large garden that the house has."),
    "maker": ("Anna Berg directed the film.", "Anna Berg was the director of the film."),
    "maker-last": ("The film was directed by Anna Berg.", "The director of the film was Anna Berg."),
    "able": ("The children can swim.", "The children are able to swim."),
    "possible": ("She can swim.", "It is possible for her to swim."),
    "true": ("The children can swim.", "It is true that the children can swim."),
    "where-it-is": ("The museum is located in Oslo.", "Oslo is where the museum is located."),
    "where-born": ("The singer was born in Oslo.", "The place where the singer was born is Oslo."),
    "year": ("The museum opened in 1990.", "1990 was the year in which the museum opened."),
    "year-cleft": ("The museum opened in 1990.", "It was in 1990 that the museum opened."),
    "passive": ("The committee wrote the report.", "The report was written by the committee."),
    "active": ("The report was written by the committee.", "The committee wrote the report."),
    "cleft": ("The committee wrote the report.", "It was the committee that wrote the report."),
    "action-cleft": ("The committee wrote the report.", "What the committee did was write the report."),
    "identity": ("Oslo is the capital of Norway.", "The capital of Norway is Oslo."),
    "there-insertion": ("A man is walking in the park.", "There is a man walking in the park."),
}


def written_by(rule: str, text: str) -> set[str | None]:
    """Return what a rule makes of a text."""
    (parsed,) = parse([text])
    return {rewritten(parsed, draft) for draft in ENTAILMENT_RULES[rule].find(parsed)}


def test_there_are_as_many_rules_as_advglue_takes_from_advfever() -> None:
    """A.4 of AdvGLUE's appendix: all 23 templates."""
    assert len(ENTAILMENT_RULES) == 23
    assert set(CLAIMS) == set(ENTAILMENT_RULES)


@pytest.mark.parametrize("rule", ENTAILMENT_RULES)
def test_a_rule_says_the_same_in_other_words(rule: str) -> None:
    """And capitals, articles and tense fit."""
    claim, expected = CLAIMS[rule]
    assert expected in written_by(rule, claim)


@pytest.mark.parametrize(
    "claim",
    [
        "Anna Berg is not a singer.",
        "No museum is located in Oslo.",
        "Few children can swim.",
        "Nobody was born in Oslo.",
        "The museum never opened in 1990.",
        "Is Anna Berg a singer?",
    ],
)
def test_no_rule_turns_what_is_denied_counted_or_asked(claim: str) -> None:
    """Where words that deny or count stand somewhere else, another claim may come out."""
    for rule in ENTAILMENT_RULES:
        assert not written_by(rule, claim), rule
