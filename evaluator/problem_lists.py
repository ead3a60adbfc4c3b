"""What is wrong with a predictions file, as scripts read it."""

import json

from contract.errors import UserError
from contract.problems import STOPPED, Problem, ProblemsError


def problems_json(benchmark: str, error: UserError) -> str:
    """Return what is wrong with a file as JSON; a line is null where the whole file is meant."""
    if isinstance(error, ProblemsError):
        problems, counts = error.problems, error.counts
    else:
        problems, counts = (Problem(kind=STOPPED, line=0, message=error.message),), {STOPPED: 1}
    found = {
        "benchmark": benchmark,
        "problems": [
            {"kind": problem.kind, "line": problem.line or None, "message": problem.message}
            for problem in problems
        ],
        "counts": counts,
    }
    return json.dumps(found, sort_keys=True, indent=2)
