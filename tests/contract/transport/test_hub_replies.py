"""A Hub, or what stands between, that replies with something else than the Hub does."""

import json

import pytest

from contract.machine.errors import ExitCode, UserError
from contract.transport import hub


@pytest.mark.parametrize(
    "error",
    [
        json.JSONDecodeError("Expecting value", "<html>", 0),
        KeyError("sha"),
        IndexError("list index out of range"),
        TypeError("'NoneType' object is not subscriptable"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    ],
)
def test_a_reply_that_the_client_cannot_read_is_an_error_with_advice(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy's page, or a reply without what it must hold."""
    monkeypatch.setattr(hub, "FIRST_WAIT_SECONDS", 0.0)

    def action() -> None:
        raise error

    with pytest.raises(UserError, match=r"frost/mr: cannot be read: .*check the network") as caught:
        hub.patiently("frost/mr: cannot be read", action)
    assert caught.value.exit_code is ExitCode.NETWORK
