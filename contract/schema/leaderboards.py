"""leaderboard.json: the results of one benchmark version side by side."""

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from contract.machine.collector import collector_paused
from contract.machine.json_text import canonical_json
from contract.machine.whole_files import write_text
from contract.schema.documents import Count, Document, Value
from contract.schema.results import BenchmarkInfo, Result, ScoreSettings


class LeaderboardDimension(Value):
    """What a table must know of a dimension to head its column."""

    name: str
    tag: Literal["general", "malicious"] | None = None


class Entry(Value):
    """A result on a leaderboard; partial entries, surrogates and models without skill have no rank."""

    rank: tuple[Count, Count] | None
    # The best and the worst rank when one family of surrogates after the other is left out.
    rank_without_families: tuple[Count, Count] | None = None
    status: Literal["ranked", "partial", "surrogate", "no-skill"]
    path: str
    result: Result


class Leaderboard(Document):
    """The entries of a benchmark version, sorted by overall worst EWMA, the headline."""

    SCHEMA: ClassVar[str] = "hardfrost/leaderboard/2"
    REMEDY: ClassVar[str] = "make it again from results of this version with `hardfrost leaderboard`"

    schema_: Literal["hardfrost/leaderboard/2"] = Field(alias="schema", default="hardfrost/leaderboard/2")
    benchmark: BenchmarkInfo
    settings: ScoreSettings
    dimensions: tuple[LeaderboardDimension, ...]
    entries: tuple[Entry, ...]

    def write(self, path: Path) -> None:
        """Write the document, whole or not at all, on one line: a thousand results fill tens of megabytes."""
        with collector_paused():
            raw = self.to_json()
            type(self).model_validate(raw)
            write_text(path, canonical_json(raw) + "\n")
