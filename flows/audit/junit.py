"""The figures and conditions of an audit as JUnit XML, which CI systems show as tests."""

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from contract.machine.terminal import printable
from contract.machine.whole_files import write_text
from contract.schema.results import Result
from flows.audit.conditions import Verdict

SUITE = "hardfrost audit"


def write_junit(path: Path, result: Result, verdicts: Sequence[Verdict]) -> None:
    """Write a test for each condition, and one for each dimension and setting, which only states figures."""
    cells = [
        (f"{dimension}/{setting}", score)
        for task in result.tasks.values()
        for dimension, settings in task.dimensions.items()
        for setting, score in settings.items()
    ]
    n_failed = sum(not verdict.is_met for verdict in verdicts)
    suite = Element(
        "testsuite",
        name=SUITE,
        tests=str(len(verdicts) + len(cells)),
        failures=str(n_failed),
        errors="0",
        skipped=str(sum(score.average is None for _, score in cells)),
    )
    for verdict in verdicts:
        test = SubElement(
            suite, "testcase", classname=f"{SUITE}.fail-under", name=_safe(verdict.condition.text)
        )
        if not verdict.is_met:
            SubElement(test, "failure", message=_safe(verdict.line)).text = _safe(verdict.line)
        SubElement(test, "system-out").text = _safe(verdict.line)
    for name, score in cells:
        test = SubElement(suite, "testcase", classname=f"{SUITE}.figures", name=_safe(name))
        if score.average is None or score.worst is None:
            SubElement(test, "skipped", message=_safe(score.not_scored or "not scored"))
            continue
        lines = [f"average {score.average.ewma:.4f}, worst {score.worst.ewma:.4f}"]
        lines += [
            f"degree {key}: average {value.average}, worst {value.worst}, n {value.n_samples}"
            for key, value in score.degrees.items()
        ]
        SubElement(test, "system-out").text = _safe("\n".join(lines))
    root = Element("testsuites")
    root.append(suite)
    indent(root)
    write_text(path, '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n")


def _safe(text: str) -> str:
    """Return a text without characters that XML cannot hold."""
    return printable(text)
