"""Conditions of `--fail-under`: what they mean, and what is refused."""

import pytest

from contract.machine.errors import UserError
from flows.audit.command import seconds_of
from flows.audit.conditions import Condition


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.6", Condition(text="0.6", bound=0.6)),
        ("typo-general=0.5", Condition(text="typo-general=0.5", bound=0.5, dimension="typo-general")),
        (
            "toxic:typo-malicious@0.1=0.5",
            Condition(
                text="toxic:typo-malicious@0.1=0.5",
                bound=0.5,
                label="toxic",
                dimension="typo-malicious",
                degree=0.1,
            ),
        ),
        (
            "not spam:synonym/live=1",
            Condition(
                text="not spam:synonym/live=1",
                bound=1.0,
                label="not spam",
                dimension="synonym",
                setting="live",
            ),
        ),
    ],
)
def test_a_condition_is_read_as_it_is_written(text: str, expected: Condition) -> None:
    """A bound alone, or a figure and its bound."""
    assert Condition.parse(text) == expected


@pytest.mark.parametrize("text", ["", "60%", "1.5", "typo-general", "a:b@c=0.5", "typo@0.1.2=0.5"])
def test_anything_else_is_refused_with_the_forms(text: str) -> None:
    """The message shows what can be written."""
    with pytest.raises(UserError, match=r"expected 0\.6"):
        Condition.parse(text)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90.0), ("10m", 600.0), ("1.5h", 5400.0), ("45", 45.0), ("none", None)]
)
def test_a_time_budget_is_a_number_and_a_unit(text: str, seconds: float | None) -> None:
    """Seconds without a unit."""
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["soon", "0", "-5m", "5 d"])
def test_a_budget_that_is_no_duration_is_refused(text: str) -> None:
    """With examples."""
    with pytest.raises(UserError, match="such as 90s"):
        seconds_of(text)
