"""Answers texts with a user's function: a script that needs the standard library alone, Python 3.8 or later.

Started as `python child.py MODULE_OR_FILE FUNCTION`. It reads requests from stdin and writes replies to
stdout, each a length in four bytes and so many bytes of JSON. Whatever the function prints goes to stderr.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import queue
import signal
import struct
import sys
import threading
import traceback
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

LENGTH = struct.Struct(">I")
# Far more than the texts of one call, or the answers to them.
MOST_BYTES = 64000000
# The last lines of an error say most.
MOST_LINES = 12
LONGEST_LINE = 400


def read_message(stream: IO[bytes], most_bytes: int = MOST_BYTES) -> Any:
    """Return the next message, or None at the end; raise ValueError where there is no whole one."""
    head = stream.read(LENGTH.size)
    if not head:
        return None
    if len(head) < LENGTH.size:
        raise ValueError("a message was cut off")
    (length,) = LENGTH.unpack(head)
    if length > most_bytes:
        raise ValueError(f"a message of {length:,} bytes, more than {most_bytes:,}")
    data = stream.read(length)
    if len(data) < length:
        raise ValueError("a message was cut off")
    return json.loads(data)


def write_message(stream: IO[bytes], value: Any) -> None:
    """Write a message as a whole."""
    # Escaped, so that halves of characters pass, too.
    data = json.dumps(value, ensure_ascii=True, default=_plain).encode("ascii")
    if len(data) > MOST_BYTES:
        raise ValueError(f"an answer of {len(data):,} bytes, more than {MOST_BYTES:,}")
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def _plain(value: Any) -> Any:
    """Return an array, a tensor, a column or a number of some library as JSON has it."""
    for name in ("tolist", "item"):
        method = getattr(value, name, None)
        if callable(method):
            return method()
    try:
        return list(value)
    except TypeError:
        return str(value)


def _answers(given: Any) -> Any:
    """Return what the function returned as a list of plain values; whatever else it is, as it is."""
    for name in ("to_numpy", "tolist"):
        given = getattr(given, name)() if hasattr(given, name) else given
    if isinstance(given, (str, bytes, dict)) or not hasattr(given, "__iter__"):
        return str(given)[:LONGEST_LINE]
    return [_with_plain_keys(answer) for answer in given]


def _with_plain_keys(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {str(_plain(key) if hasattr(key, "item") else key): value for key, value in answer.items()}
    return answer


def _found(where: str, name: str) -> Callable[[list[Any]], Any]:
    """Return a function of a module or a file; dots lead into objects, as in `model.predict`."""
    if where.endswith(".py"):
        path = os.path.abspath(where)  # noqa: PTH100
        folder = os.path.dirname(path)  # noqa: PTH120
        if folder not in sys.path:
            sys.path.insert(0, folder)
        module_name = os.path.splitext(os.path.basename(path))[0]  # noqa: PTH119, PTH122
        spec = importlib.util.spec_from_file_location(module_name, path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{where} is no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(where)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            names = [known for known in dir(module) if not known.startswith("_")]
            raise _Missing({"missing_function": name, "functions": names[:200]})
        found = getattr(found, part)
    if not callable(found):
        raise _Missing({"missing_function": name, "functions": []})
    function: Callable[[list[Any]], Any] = found
    return function


def _answering(train: Callable[..., Any], texts: list[Any], labels: list[Any]) -> Callable[[list[Any]], Any]:
    """Return what a function that trains returns: a function, or the method of a fitted model."""
    model = train(texts, labels)
    for name in ("predict", "__call__"):
        found = getattr(model, name, None)
        if callable(found):
            answering: Callable[[list[Any]], Any] = found
            return answering
    raise TypeError(f"it returned {type(model).__name__}; return a function, or a model with predict")


class _Missing(Exception):  # noqa: N818
    """The module has no such function; what it has instead."""


def _trouble(error: BaseException) -> dict[str, Any]:
    """Return an error in words: the end of its traceback, without the lines of this script."""
    if isinstance(error, _Missing):
        return dict(error.args[0])
    shown = traceback.TracebackException.from_exception(error)
    frames = [
        frame for frame in shown.stack if not frame.filename.startswith((__file__, "<frozen importlib"))
    ]
    shown.stack = traceback.StackSummary.from_list(frames)
    lines = "".join(shown.format()).rstrip().splitlines()
    found: dict[str, Any] = {"error": [line[:LONGEST_LINE] for line in lines[-MOST_LINES:]]}
    if isinstance(error, ModuleNotFoundError):
        found["missing_module"] = error.name
    return found


def _wait_for_requests(stream: IO[bytes], requests: queue.SimpleQueue[Any]) -> None:
    """Pass requests on; when whoever asks has ended, end at once, whatever the function is doing."""
    while True:
        try:
            request = read_message(stream)
        except (OSError, ValueError):
            request = None
        if request is None:
            os._exit(0)
        requests.put(request)


def main() -> None:
    """Load the function, say so, and answer until nobody asks any more."""
    # Not the folder of this script, but that of the user comes first.
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != here]  # noqa: PTH100
    sys.path.insert(0, os.getcwd())  # noqa: PTH109
    where, name = sys.argv[1:3]
    sys.argv[1:] = []
    # Whoever interrupts the command ends it, and with it this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests_in = os.fdopen(os.dup(0), "rb")
    replies_out = os.fdopen(os.dup(1), "wb")
    # What the function prints, from Python or from C, must not stand between the replies.
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_wait_for_requests, args=(requests_in, requests), daemon=True).start()
    try:
        function = _found(where, name)
    except BaseException as error:  # noqa: BLE001
        write_message(replies_out, _trouble(error))
        return
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    loaded = sys.modules.get(where) or module
    write_message(
        replies_out,
        {"file": getattr(loaded, "__file__", None), "name": getattr(function, "__name__", name)},
    )
    while True:
        request = requests.get()
        texts = [tuple(text) if isinstance(text, list) else text for text in request["texts"]]
        try:
            if "labels" in request:
                # A function that trains returns the one that answers from now on.
                function = _answering(function, texts, request["labels"])
                reply: dict[str, Any] = {"answers": []}
            else:
                reply = {"answers": _answers(function(texts))}
            write_message(replies_out, reply)
        except BaseException as error:  # noqa: BLE001
            write_message(replies_out, _trouble(error))
        with contextlib.suppress(Exception):
            sys.stdout.flush()


if __name__ == "__main__":
    main()
