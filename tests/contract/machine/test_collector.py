"""The collector of cycles rests for a while and is then as it was."""

import gc

import pytest

from contract.machine.collector import collector_paused


def test_the_collector_is_as_it_was_even_after_an_error() -> None:
    """Whoever turned it off finds it off."""
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
    with pytest.raises(ValueError, match="inside"), collector_paused():
        raise ValueError("inside")
    assert gc.isenabled()
    with collector_paused(), collector_paused():
        pass
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    """A pause does not turn it on."""
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
