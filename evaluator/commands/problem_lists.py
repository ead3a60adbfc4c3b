"""What is wrong with a predictions file, as scripts read it."""

from typing import Any

from contract.machine.errors import UserError
from contract.machine.problems import STOPPED, Problem, ProblemsError


def listed_problems(benchmark: str, error: UserError) -> dict[str, Any]:
    """Return what is wrong with a file; a line is null where the whole file is meant."""
    if isinstance(error, ProblemsError):
        problems, counts = error.problems, error.counts
    else:
        problems, counts = (Problem(kind=STOPPED, line=0, message=error.message),), {STOPPED: 1}
    return {
        "benchmark": benchmark,
        "problems": [
            {"kind": problem.kind, "line": problem.line or None, "message": problem.message}
            for problem in problems
        ],
        "counts": counts,
    }
