"""The Ray engine asks for what one node can give, and gives work to those who answer."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from builder.engines.engine import EngineOptions
from builder.engines.ray import PROBE, Actor, RayPool, Seat, seats_of
from contract.machine.code import hash_of_all_code
from contract.machine.errors import UserError


def node(name: str, n_cpus: float, n_gpus: float = 0, *, is_alive: bool = True) -> dict[str, Any]:
    """Return a node as Ray lists it; what it has none of it does not mention."""
    found = {"CPU": n_cpus, "GPU": n_gpus}
    resources = {kind: amount for kind, amount in found.items() if amount}
    return {"NodeID": name, "Alive": is_alive, "Resources": resources}


@pytest.mark.parametrize(
    ("nodes", "n_workers", "seats"),
    [
        # One worker has a node at most, never the cluster.
        ([node("a", 1), node("b", 1)], 1, [Seat("a", 1, 0)]),
        ([node("a", 4), node("b", 8)], 1, [Seat("b", 8, 0)]),
        ([node("a", 4), node("b", 4)], 2, [Seat("a", 4, 0), Seat("b", 4, 0)]),
        # Ten processors for three are three each, of which only two workers would find a node.
        ([node("a", 4), node("b", 4), node("c", 2)], 3, [Seat("a", 2, 0), Seat("b", 2, 0), Seat("c", 2, 0)]),
        # More workers than processors would wait for ever.
        ([node("a", 1), node("b", 1)], 9, [Seat("a", 1, 0), Seat("b", 1, 0)]),
        # A head without processors, and a node that is gone.
        ([node("head", 0), node("a", 2), node("gone", 9, is_alive=False)], None, [Seat("a", 1, 0)] * 2),
        # Cards are where they are: workers elsewhere do without.
        ([node("a", 2), node("b", 2, 1)], 2, [Seat("b", 2, 1), Seat("a", 2, 0)]),
        # Shares are rounded down, or the last would not fit.
        ([node("a", 6, 1)], 6, [Seat("a", 1, 0.1666)] * 6),
        ([node("a", 2, 8)], 2, [Seat("a", 1, 1)] * 2),
    ],
)
def test_an_actor_asks_for_what_one_node_has(
    nodes: list[dict[str, Any]], n_workers: int | None, seats: list[Seat]
) -> None:
    """As many as fit, those with graphics cards first."""
    assert seats_of(nodes, n_workers) == seats


def test_a_cluster_without_processors_is_refused() -> None:
    """Nothing could ever start there."""
    with pytest.raises(UserError, match="no node of the Ray cluster has a processor"):
        seats_of([node("head", 0)], None)


class FakeRay:
    """A cluster in which some actors never find a place, and the others do their work at once."""

    def __init__(self, n_silent: int, n_rounds_of_silence: int = 0) -> None:
        self.n_silent = n_silent
        self.n_rounds_of_silence = n_rounds_of_silence
        self.n_started = 0
        self.results: dict[int, Any] = {}
        self.silent: set[int] = set()
        self.exceptions = SimpleNamespace(RayError=ZeroDivisionError)
        strategies = SimpleNamespace(NodeAffinitySchedulingStrategy=lambda **_: None)
        self.util = SimpleNamespace(scheduling_strategies=strategies)

    def nodes(self) -> list[dict[str, Any]]:
        """List one node."""
        return [node("a", 3)]

    def available_resources(self) -> dict[str, float]:
        """Say what is free."""
        return {"CPU": 2.0}

    def remote(self, kind: type) -> Any:
        """Return what starts actors."""

        def start(*arguments: Any) -> Any:
            self.n_started += 1
            is_silent = self.n_started <= self.n_silent
            actor = kind(*arguments)
            methods = {
                name: SimpleNamespace(remote=self._call(getattr(actor, name), is_silent=is_silent))
                for name in ("answer", "do")
            }
            return SimpleNamespace(**methods)

        return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=start))

    def wait(self, wanted: list[int], num_returns: int, timeout: float | None) -> tuple[list[int], list[int]]:
        """Return the first of those that are done; without a limit one must come."""
        if timeout is not None and self.n_rounds_of_silence:
            self.n_rounds_of_silence -= 1
            return [], wanted
        done = [each for each in wanted if each not in self.silent][:num_returns]
        assert done, "it would wait for ever"
        return done, [each for each in wanted if each not in done]

    def get(self, ready: int) -> Any:
        """Return a result."""
        return self.results[ready]

    def _call(self, method: Any, *, is_silent: bool) -> Any:
        def call(*arguments: Any) -> int:
            number = len(self.results)
            self.results[number] = method(*arguments)
            if is_silent:
                self.silent.add(number)
            return number

        return call


@pytest.mark.usefixtures("cache")
def test_work_goes_only_to_actors_that_have_answered() -> None:
    """Others hold the cluster: the one worker that found a place does everything."""
    ray = FakeRay(n_silent=2)
    pool = RayPool(ray, EngineOptions())
    assert sorted(pool.run(abs, [-1, 2, -3, 4])) == [(-3, 3), (-1, 1), (2, 2), (4, 4)]
    assert sorted(pool.run(abs, [-5])) == [(-5, 5)]
    assert ray.n_started == 3


@pytest.mark.usefixtures("cache")
def test_people_are_told_while_no_worker_starts(capsys: pytest.CaptureFixture[str]) -> None:
    """Every minute, with what is asked for and what is free."""
    pool = RayPool(FakeRay(n_silent=0, n_rounds_of_silence=2), EngineOptions(workers=2))
    assert list(pool.run(abs, [-1])) == [(-1, 1)]
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert "1 are asked for, and 2 processors and 0 graphics cards are free" in told[0]


def test_a_node_with_other_code_or_another_cache_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build names units by its own code, and reads them from its own cache."""
    monkeypatch.setenv("HARDFROST_CACHE", "")
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    with pytest.raises(UserError, match="does not see"):
        Actor(tmp_path, hash_of_all_code()).do(abs, -1).get()
    (tmp_path / PROBE).touch()
    with pytest.raises(UserError, match=r"other code of Hardfrost \(.* than the build \(another\)"):
        Actor(tmp_path, "another").do(abs, -1).get()
    assert Actor(tmp_path, hash_of_all_code()).do(abs, -1).get() == 1
