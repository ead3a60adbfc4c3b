"""Reasons for dropping a candidate: one list, in the order of a build's stages."""

from typing import get_args

from contract.schema import drop_reasons
from contract.schema.drop_reasons import REASONS, Reason, Stage, stage_of


def test_every_reason_is_listed_and_says_what_it_means() -> None:
    """A constant that the list lacks would be counted at the wrong stage."""
    constants = [value for value in vars(drop_reasons).values() if isinstance(value, Reason)]
    assert list(REASONS.values()) == constants
    assert all(reason.summary for reason in constants)


def test_reasons_stand_in_the_order_of_the_stages() -> None:
    """And every stage has one."""
    stages = [reason.stage for reason in REASONS.values()]
    assert stages == sorted(stages, key=get_args(Stage).index)
    assert set(stages) == set(get_args(Stage))


def test_a_reason_that_is_not_listed_is_one_of_a_filter() -> None:
    """A filter of a user's own judges fidelity."""
    assert stage_of("duplicate") == "search"
    assert stage_of("too-long") == "fidelity"
