"""Inputs that once did harm: each is kept as a line of faults.jsonl and tried again by the tests.

A line has the kind of the input, the name of its file, what it once did, and its bytes: as `text`, as `parts`
(texts, each with how often it stands there), or as a `patch` of the good JSON file (a path and a value each).
To keep a new one, add a line.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.fuzz.inputs import SpoiltInput
from benchmarks.fuzz.kinds import Seed, seeds_of
from benchmarks.fuzz.material import Material

FAULTS = Path(__file__).with_name("faults.jsonl")


def kept_faults() -> list[dict[str, Any]]:
    """Return the lines of the file."""
    return [json.loads(line) for line in FAULTS.read_text(encoding="utf-8").splitlines()]


def inputs_of(fault: dict[str, Any], material: Material) -> Iterator[SpoiltInput]:
    """Yield a kept input once for each command that reads files of its name."""
    seeds = [seed for seed in seeds_of(material)[fault["kind"]] if seed.name == fault["name"]]
    seed: Seed = seeds[0]
    for number, line in enumerate(seed.commands or ["read"]):
        yield SpoiltInput(
            kind=fault["kind"],
            number=number,
            seed=seed,
            data=_data(fault, seed),
            line=line.replace("FILE", seed.name),
        )


def _data(fault: dict[str, Any], seed: Seed) -> bytes:
    if "text" in fault:
        return str(fault["text"]).encode(errors="surrogatepass")
    if "parts" in fault:
        return "".join(text * n for text, n in fault["parts"]).encode(errors="surrogatepass")
    document = json.loads(seed.data)
    for path, value in fault["patch"]:
        parent = document
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = value
    return json.dumps(document).encode(errors="surrogatepass")
