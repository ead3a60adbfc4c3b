"""The gate for YAML files: plain values only, each fault named by file and line."""

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from contract.machine.errors import bad_input

MOST_BYTES = 1_000_000
# Far more than any file of ours has.
MOST_LEVELS = 50
LARGEST_INTEGER = 2**63
_FAULTS = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError)


class YamlFile(NamedTuple):
    """What a YAML file holds, and its nodes, which know their lines; None where the file is empty."""

    value: Any
    node: yaml.Node | None


def read_yaml(path: Path) -> YamlFile:
    """Return what a YAML file holds: no tags of programs, no aliases, no deep nesting, no huge numbers."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise bad_input(f"{path}: larger than {MOST_BYTES:,} bytes; is it the right file?")
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise bad_input(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise bad_input(f"{path}: cannot be read: {error}") from None
    return parse_yaml(text, str(path))


def parse_yaml(text: str, path: str) -> YamlFile:
    """Return what a text in YAML holds; `path` says in errors where it stands."""
    line = 1
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            return YamlFile(loader.construct_document(node) if node is not None else None, node)
        finally:
            line = loader.line + 1
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise bad_input(f"{path}:{line}: not YAML: {error.problem}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise bad_input(
            f"{path}:{line}: not YAML: the character U+{ord(error.character):04X}; delete it"
            if isinstance(error.character, str)
            else f"{path}:{line}: not YAML: {error.reason}; save the file as UTF-8"
        ) from None
    except (yaml.YAMLError, *_FAULTS) as error:
        raise bad_input(f"{path}:{line}: not YAML that can be read: {error}") from None


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, made to name the line of whatever it cannot take."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._level = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Refuse aliases, by which a few lines stand for millions, and nesting that exhausts the stack."""
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            raise _fault("an alias (*name) is not taken here; write the value out", event)
        self._level += 1
        if self._level > MOST_LEVELS:
            raise _fault(f"nested in more than {MOST_LEVELS} levels", event)
        node = super().compose_node(parent, index)
        self._level -= 1
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002
        """Return the value of a node that can be written again."""
        try:
            value = super().construct_object(node, deep=deep)
            if isinstance(value, str):
                value.encode()
        except _FAULTS as error:
            kind = str(node.tag).rpartition(":")[2]
            raise _fault(f"{str(node.value)[:60]!r} cannot be read as {kind} ({error})", node) from None
        if isinstance(value, int) and not -LARGEST_INTEGER <= value < LARGEST_INTEGER:
            raise _fault("a number too large to hold", node)
        if isinstance(value, str) and "\0" in value:
            raise _fault("a text with the character U+0000; delete it", node)
        return value


def _fault(problem: str, place: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=place.start_mark)
