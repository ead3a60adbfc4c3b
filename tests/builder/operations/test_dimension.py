"""A dimension that breaks a rule is refused when it is made, with a message that names the rule."""

from typing import Any

import pytest

from builder.operations.dimension import Dimension, SentenceDimension
from contract.machine.errors import UserError

GOOD: dict[str, Any] = {
    "name": "my-typos",
    "summary": "typos",
    "stands_for": "people who type",
    "level": "char",
    "tag": "general",
    "measure": "words",
    "degrees": (0.1, 0.2),
    "propose": lambda texts, _resources: [[] for _ in texts],
}


def test_a_good_dimension_is_made() -> None:
    """Both tags, each with its measure."""
    assert Dimension(**GOOD).is_one_operation_a_word
    assert not Dimension(**{**GOOD, "tag": "malicious", "measure": "edit"}).is_one_operation_a_word


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"summary": ""}, "must not be empty"),
        ({"stands_for": ""}, "must not be empty"),
        ({"degrees": ()}, "degrees must rise"),
        ({"degrees": (0.2, 0.1)}, "degrees must rise"),
        ({"degrees": (0.1, 0.1)}, "degrees must rise"),
        ({"degrees": (0.0, 0.1)}, "from above 0"),
        ({"degrees": (0.1, 0.9)}, r"at most 0\.8"),
        ({"level": "sentence"}, "for sentences use SentenceDimension"),
        ({"tag": "malicious"}, "a malicious dimension must have the measure edit, found words"),
        ({"measure": "edit"}, "a general dimension must have the measure words, found edit"),
    ],
)
def test_a_rule_that_is_broken_is_named(change: dict[str, Any], message: str) -> None:
    """The author is told which, and of which dimension."""
    with pytest.raises(ValueError, match=f"dimension my-typos: .*{message}"):
        Dimension(**{**GOOD, **change})


def test_all_broken_rules_are_named_together() -> None:
    """One message, so that one correction is enough."""
    with pytest.raises(ValueError, match=r"must not be empty.*degrees must rise.*the measure edit"):
        Dimension(**{**GOOD, "summary": "", "degrees": (), "tag": "malicious"})


def test_a_name_that_is_no_name_is_refused() -> None:
    """It becomes a folder and part of ids."""
    with pytest.raises(UserError, match="dimension 'My Typos' is not a name"):
        Dimension(**{**GOOD, "name": "My Typos"})


def test_a_sentence_dimension_keeps_to_its_level() -> None:
    """Its degrees are bins of a distance between sentences."""
    shared = {name: GOOD[name] for name in ("name", "summary", "stands_for", "tag", "degrees")}
    with pytest.raises(ValueError, match="level must be sentence and measure embedding, found word"):
        SentenceDimension(**shared, level="word", write_series=lambda texts, _resources: [[] for _ in texts])
