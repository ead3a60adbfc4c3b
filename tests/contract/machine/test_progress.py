"""Progress: how far, how fast, how long still; in lines where there is no terminal."""

import io

import pytest

from contract.machine.forecast import Forecast, duration
from contract.machine.progress import Bars


def test_the_time_left_counts_work_not_what_was_found_done() -> None:
    """Half of the second stage was done before: it weighs half."""
    forecast = Forecast({"train": 1.0, "perturb": 2.0})
    assert forecast.seconds_left(0.0) is None
    forecast.start("train", 4, 0)
    forecast.step("train", 2)
    assert forecast.done == pytest.approx(0.5 / 3)
    assert forecast.seconds_left(10.0) == pytest.approx(50.0)
    forecast.step("train", 2)
    forecast.start("perturb", 10, 5)
    assert forecast.done == pytest.approx(1 / 2)
    forecast.step("perturb", 5)
    assert forecast.done == pytest.approx(1.0)
    assert forecast.seconds_left(10.0) == pytest.approx(0.0)


def test_steps_that_differ_say_how_much_they_were() -> None:
    """The first half of the steps may be a tenth of the work."""
    forecast = Forecast({"perturb": 100.0, "vote": 100.0})
    forecast.start("perturb", 4, 1, effort=60.0)
    assert forecast.done == 0.0
    forecast.step("perturb", 2, effort=16.0)
    assert forecast.done == pytest.approx(0.1)
    assert forecast.seconds_left(5.0) == pytest.approx(45.0)
    forecast.step("perturb", 1, effort=44.0)
    forecast.start("vote", 0, 0, effort=0.0)
    assert forecast.done == pytest.approx(1.0)


def test_a_stage_without_work_is_done_and_one_without_weight_is_not_counted() -> None:
    """Nothing is divided by zero."""
    forecast = Forecast({"train": 1.0})
    forecast.start("train", 0, 0)
    forecast.start("extra", 3, 0)
    forecast.step("extra", 1)
    assert forecast.done == 0.0
    assert Forecast().done == 0.0


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.4, "0 s"), (89, "89 s"), (100, "2 min"), (5000, "83 min"), (9000, "2.5 h")]
)
def test_times_are_said_as_people_say_them(seconds: float, said: str) -> None:
    """Seconds, minutes, hours."""
    assert duration(seconds) == said


def test_without_a_terminal_each_stage_ends_with_a_line_of_figures(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many, how many before, how fast; on stderr alone."""
    clock = iter([0.0, 0.0, 0.0, 0.0, 10.0, 50.0, 60.0])
    monkeypatch.setattr("contract.machine.progress.monotonic", lambda: next(clock))
    with Bars() as progress:
        progress.expect({"perturb": 1.0})
        progress.stage("perturb", 4, 1)
        progress.count({"cases": 50, "questions": 400, "known": 100})
        progress.step()
        progress.step()
        progress.say("by the way")
        progress.step()
    shown = capsys.readouterr()
    assert shown.out == ""
    left = "about 25 s left in all"
    known = "25% of answers known"
    assert shown.err.splitlines() == [
        f"perturb: 3 of 4, 1 done before, 50 s, 50 cases (1/s), 400 questions (8/s), {known}, {left}",
        "by the way",
        f"perturb: 4 of 4, 1 done before, 60 s, 50 cases (1/s), 400 questions (7/s), {known}",
    ]


class Terminal(io.StringIO):
    """Takes what a terminal would show."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_on_a_terminal_there_is_a_bar_for_the_stage_and_one_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the time left, and what is made in a second; lines stand above them."""
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "xterm")
    with Bars() as progress:
        progress.expect({"perturb": 1.0, "vote": 1.0})
        progress.stage("perturb", 2)
        progress.count({"cases": 50})
        progress.step()
        progress.say("[mr] by the way")
    text = shown.getvalue()
    for part in ("all", "25%", "left", "perturb", "1/2", "50 cases", "[mr] by the way"):
        assert part in text
    with Bars() as progress:
        progress.stage("verify", 4)
        progress.step()
    assert "about 0 s left" in shown.getvalue()
