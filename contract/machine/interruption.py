"""Ends a command on Ctrl-C or a signal: it cleans up, prints how to go on and exits within seconds."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from contract.machine.terminal import echo

# Shells report the end by a signal as this plus the signal's number.
SIGNAL_EXIT_CODE = 128


class _TerminatedError(KeyboardInterrupt):
    """The interruption that SIGTERM raises."""


@contextlib.contextmanager
def interruptible(*, hint: str) -> Iterator[None]:
    """Turn an interruption of the code inside into the hint on stderr and the exit code 130 or 143."""

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise _TerminatedError

    # Schedulers and service managers send SIGTERM before they kill.
    is_main = threading.current_thread() is threading.main_thread()
    previous = signal.signal(signal.SIGTERM, terminate) if is_main else None
    try:
        yield
    except KeyboardInterrupt as interruption:
        number = signal.SIGTERM if isinstance(interruption, _TerminatedError) else signal.SIGINT
        echo(f"\nstopped: {hint}", err=True)
        raise SystemExit(SIGNAL_EXIT_CODE + number) from None
    finally:
        if is_main:
            signal.signal(signal.SIGTERM, previous)
