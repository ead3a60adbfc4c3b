"""What a transformation is: a name, and a function that finds what to rewrite in a parsed text."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from builder.language.clauses.draft import Draft
from builder.language.parser.parse import Parse


@dataclass(frozen=True, kw_only=True)
class Transformation:
    """A way of saying the same in another syntactic form; it finds nothing where the parse is not clear."""

    name: str
    summary: str
    find: Callable[[Parse], Iterable[Draft]]
    # Its weight when one is drawn among those that found something.
    weight: float = 4.0
    # At most one opening and one frame in a rewrite, the opening first and the frame last: a frame around a
    # frame is no longer how people write.
    kind: Literal["inner", "opening", "frame"] = "inner"
    # The transformation whose effect it would undo.
    undoes: str | None = None
    # Whether a rewrite may have it in several places.
    is_repeated: bool = False

    def may_follow(self, done: Sequence["Transformation"]) -> bool:
        """Whether it may be applied after others."""
        if any(
            other.name == self.undoes or (other.name == self.name and not self.is_repeated) for other in done
        ):
            return False
        is_closed = any(other.kind == "frame" for other in done)
        is_opened = is_closed or any(other.kind == "opening" for other in done)
        is_too_late = {"inner": is_closed and not self.is_repeated, "opening": is_opened, "frame": is_closed}
        return not is_too_late[self.kind]
