"""A registry names its parts and helps with names it does not know."""

from dataclasses import dataclass

import pytest

from contract.machine.errors import ExitCode, UserError
from contract.machine.registry import Registry


@dataclass(frozen=True)
class Part:
    """A part with a name."""

    name: str


def test_an_unknown_name_is_answered_with_the_nearest_and_all() -> None:
    """The message tells what to write instead."""
    registry = Registry("dimension", [Part("typo-general"), Part("typo-malicious")])
    with pytest.raises(UserError) as caught:
        registry["typo-generel"]
    assert caught.value.message == (
        "unknown dimension 'typo-generel'; did you mean 'typo-general'?"
        " known dimensions: typo-general, typo-malicious"
    )
    assert caught.value.exit_code is ExitCode.WRONG_USE
    assert list(registry) == ["typo-general", "typo-malicious"]


def test_two_parts_of_one_name_are_a_bug() -> None:
    """The later one would hide the earlier one."""
    with pytest.raises(ValueError, match="two dimensions are called 'a'"):
        Registry("dimension", [Part("a"), Part("a")])
