"""leaderboard.json: the results of one benchmark version side by side."""

from typing import ClassVar, Literal

from pydantic import Field

from contract.documents import Count, Document, Value
from contract.results import BenchmarkInfo, Result, ScoreSettings


class LeaderboardDimension(Value):
    """What a table must know of a dimension to head its column."""

    name: str
    tag: Literal["general", "malicious"] | None = None


class Entry(Value):
    """A result on a leaderboard; partial entries and surrogates have no rank."""

    rank: tuple[Count, Count] | None
    status: Literal["ranked", "partial", "surrogate"]
    path: str
    result: Result


class Leaderboard(Document):
    """The entries of a benchmark version, sorted by overall average EWMA."""

    SCHEMA: ClassVar[str] = "hardfrost/leaderboard/1"

    schema_: Literal["hardfrost/leaderboard/1"] = Field(alias="schema", default="hardfrost/leaderboard/1")
    benchmark: BenchmarkInfo
    settings: ScoreSettings
    dimensions: tuple[LeaderboardDimension, ...]
    entries: tuple[Entry, ...]
