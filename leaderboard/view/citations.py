"""BibTeX entries of a benchmark and of a result."""

from contract.schema.leaderboards import Leaderboard
from contract.schema.results import Result
from leaderboard.text.formatting import percent
from leaderboard.text.latex import latex_text
from leaderboard.text.untrusted_text import page_name, visible, web_link

# BibTeX counts braces, even those that LaTeX prints as text.
_BRACES = str.maketrans("{}", "()")


def benchmark_citation(leaderboard: Leaderboard) -> str:
    """Return the entry of a benchmark, with the hash of its manifest."""
    benchmark = leaderboard.benchmark
    return _entry(
        page_name(benchmark.name, benchmark.version),
        {
            "title": f"{benchmark.name} {benchmark.version}: a frozen adversarial-robustness benchmark",
            "note": f"Made with Hardfrost; manifest sha256 {benchmark.manifest_sha256}",
        },
    )


def result_citation(result: Result) -> str:
    """Return the entry of a result, with its overall scores and its signature."""
    model, benchmark, overall = result.model, result.needed_benchmark, result.overall
    figures = (
        ("A partial result" if result.absent else "A result without overall score")
        if overall is None
        else f"Robustness {percent(overall.score.ewma)}, average {percent(overall.average.ewma)}"
    )
    fields = {
        "author": f"{{{_field(model.organisation)}}}" if model.organisation else None,
        "title": f"{model.name} on {benchmark.name} {benchmark.version}",
        "howpublished": f"\\url{{{model.url}}}" if web_link(model.url) else None,
        "note": f"{figures}; {result.signature}",
    }
    key = page_name(model.organisation, model.name, model.revision, benchmark.name, benchmark.version)
    return _entry(key, {name: value for name, value in fields.items() if value})


def _entry(key: str, fields: dict[str, str]) -> str:
    ready = ("author", "howpublished")
    lines = [f"  {name} = {{{value if name in ready else _field(value)}}}," for name, value in fields.items()]
    return "\n".join([f"@misc{{{key},", *lines, "}"])


def _field(text: str) -> str:
    return latex_text(visible(text, 400).translate(_BRACES))
