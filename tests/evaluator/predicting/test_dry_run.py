"""Before anything is paid for: a prompt, requests, tokens and cost; afterwards what was used."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluator.commands.predict import predict
from evaluator.predicting.dry_run import Prices, tokens_in


def run(*arguments: object) -> tuple[int, str, str]:
    """Run `predict` as the command line does; return exit code, stdout and stderr."""
    result = CliRunner().invoke(predict, [str(argument) for argument in arguments])
    message = str(result.exception) if result.exception else ""
    return result.exit_code, result.stdout, result.stderr + message


def test_a_dry_run_asks_nothing_and_tells_the_cost(release_path: Path) -> None:
    """Without a key, a server or a file."""
    options = ("--model", "api:m", "--base-url", "http://127.0.0.1:1/v1", "--dry-run")
    code, out, _ = run(release_path, *options, "--price-in", 2, "--price-out", 10, "--json")
    assert code == 0
    plan = json.loads(out)
    assert "Answer with exactly one of these labels" in plan["prompts"]["mr"]
    assert "text 0" in plan["prompts"]["mr"]
    assert plan["requests"] == 54
    assert 54 * 30 < plan["tokens_in"] < 54 * 100
    assert plan["most_tokens_out"] == 54 * 64
    assert plan["cost"] == pytest.approx((2 * plan["tokens_in"] + 10 * plan["tokens_out"]) / 1e6)
    code, out, err = run(release_path, *options, "--limit", 4)
    assert code == 0
    assert "A prompt for mr:" in out
    assert "nothing was asked" in out
    assert "--price-in" in err
    fewer = json.loads(run(release_path, *options, "--limit", 4, "--json")[1])
    assert fewer["requests"] < 54


def test_a_dry_run_is_for_what_costs(release_path: Path) -> None:
    """A model of one's own does not."""
    code, _, err = run(release_path, "--model", "majority", "--dry-run")
    assert code
    assert "costs nothing" in err
    code, _, err = run(release_path, "--model", "majority")
    assert code == 2
    assert "say where the predictions go" in err


def test_tokens_are_about_right() -> None:
    """Four letters each; look-alikes one each."""
    assert tokens_in("a" * 400) == 100
    assert tokens_in("é" * 10) == 10
    assert tokens_in("") == 0


def test_a_price_alone_is_no_cost() -> None:
    """Both are needed."""
    assert Prices(tokens_in=1).cost(1_000_000, 1) is None
    assert Prices(tokens_in=1, tokens_out=2).cost(1_000_000, 500_000) == 2
