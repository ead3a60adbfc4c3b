"""Being stopped: by a key or a signal, within seconds, with a word on how to go on."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

import click

SHELLS_ADD = 128


class _Stopped(KeyboardInterrupt):
    """A request to end that came as a signal."""


@contextlib.contextmanager
def stoppable(advice: str) -> Iterator[None]:
    """Let what happens inside clean up when it is stopped, then say how to go on and exit with 130 or 143."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _Stopped

    # Schedulers and service managers ask in this way before they kill.
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, stop) if is_main else None
    try:
        yield
    except KeyboardInterrupt as reason:
        number = signal.SIGTERM if isinstance(reason, _Stopped) else signal.SIGINT
        click.echo(f"\nstopped: {advice}", err=True)
        raise SystemExit(SHELLS_ADD + number) from None
    finally:
        if is_main:
            signal.signal(signal.SIGTERM, before)
