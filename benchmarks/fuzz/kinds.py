"""The kinds of inputs: which good files they begin with, how these are spoilt, and who is given them."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.fuzz.material import DATA_RECIPE, Material
from benchmarks.fuzz.mutations import (
    mutate_archive,
    mutate_bytes,
    mutate_compressed,
    mutate_json,
    mutate_json_lines,
    mutate_parquet,
    mutate_predictions,
    mutate_text,
)

Mutate = Callable[[bytes, Random], bytes]
REPLY = json.dumps(
    {
        "choices": [{"message": {"role": "assistant", "content": "positive"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 1},
        "error": {"message": "busy", "code": "rate_limit"},
        "data": [{"id": "model"}],
    }
).encode()


@dataclass(frozen=True, kw_only=True)
class Seed:
    """A good file, the name under which it is spoilt, and the commands that take it."""

    name: str
    data: bytes
    mutate: Mutate
    # Of each command, FILE is the spoilt file and RELEASE the good release.
    commands: Sequence[str] = ()
    # Writes what must lie beside the file.
    beside: Callable[[Path], None] = field(default=lambda _: None)
    # Instead of a command: what is done with the spoilt bytes.
    action: Callable[[bytes], int] | None = None


def seeds_of(material: Material) -> dict[str, list[Seed]]:
    """Return the good inputs by kind."""
    return {
        "predictions": _predictions(material),
        "manifest": _manifests(material),
        "recipe": _recipes(material),
        "archive": _archives(material),
        "result": _results(material),
        "own files": _own_files(material),
        "chat reply": [Seed(name="reply", data=REPLY, mutate=mutate_json, action=read_replies)],
        ROWS: _rows(material),
    }


def turns_of(kinds: Sequence[str]) -> list[str]:
    """Return the kinds in the order in which they take turns; those that start a process come seldom."""
    return [kind for kind in kinds if kind != ROWS] * TURNS_A_ROWS + [ROWS]


def run_command(line: str, material: Material) -> int:
    """Run a command of the project as its users do."""
    from hardfrost import main

    # The part of the input before this one, and its folder.
    sys.modules.pop(Path(OWN_PART).stem, None)
    sys.path[:] = [place for place in sys.path if place and Path(place).exists()]
    sys.argv = ["hardfrost", *(str(material.release) if word == "RELEASE" else word for word in line.split())]
    main()
    return 0


def _predictions(material: Material) -> list[Seed]:
    import gzip

    commands = ["score RELEASE FILE --model-name fuzzed -o out/result.json --resamples 0"]
    texts = material.read("predictions.jsonl")
    seeds = [
        ("p.jsonl", texts, mutate_json_lines),
        ("p.jsonl", texts, mutate_predictions),
        ("p.csv", material.read("predictions.csv"), mutate_text),
        ("p.csv", material.read("predictions.csv"), mutate_predictions),
        ("p.parquet", material.read("predictions.parquet"), mutate_bytes),
        ("p.jsonl.gz", gzip.compress(texts, mtime=0), mutate_compressed),
        ("p.csv.gz", gzip.compress(material.read("predictions.csv"), mtime=0), mutate_compressed),
    ]
    return [Seed(name=name, data=data, mutate=mutate, commands=commands) for name, data, mutate in seeds]


ROWS = "rows"
TURNS_A_ROWS = 3
READ_RELEASE = (
    "verify spoilt",
    "info spoilt",
    "template spoilt -o out/template.csv",
    "check spoilt good.jsonl",
    "score spoilt good.jsonl --model-name fuzzed -o out/result.json --resamples 0",
    "export lm-eval spoilt -o out/lm-eval",
    "export inspect spoilt -o out/inspect",
    "pack spoilt -o out/packed.tar.gz",
    "diff spoilt RELEASE",
)


def _manifests(material: Material) -> list[Seed]:
    manifest = Seed(
        name="spoilt/manifest.json",
        data=material.read("release/manifest.json"),
        mutate=mutate_json,
        commands=READ_RELEASE,
        beside=_release_without(material, "manifest.json"),
    )
    checksums = Seed(
        name="spoilt/SHA256SUMS",
        data=material.read("release/SHA256SUMS"),
        mutate=mutate_text,
        commands=["verify spoilt", "pack spoilt -o out/packed.tar.gz"],
        beside=_release_without(material, "SHA256SUMS"),
    )
    return [*[manifest] * 5, checksums]


def _rows(material: Material) -> list[Seed]:
    names = [path.relative_to(material.release) for path in sorted(material.release.rglob("*.parquet"))]
    return [
        Seed(
            name=f"spoilt/{name}",
            data=material.read(f"release/{name}"),
            mutate=mutate_parquet,
            commands=READ_RELEASE,
            beside=_release_without(material, str(name)),
        )
        for name in names
    ]


def _release_without(material: Material, spoilt: str) -> Callable[[Path], None]:
    """Return what writes all of a release but one file; good files are links, known from one to the next."""

    def beside(sandbox: Path) -> None:
        for path in material.release.rglob("*"):
            name = str(path.relative_to(material.release))
            # Whose hash is in the list is known to differ; what else happens is of more interest.
            if path.is_file() and name not in {spoilt, "SHA256SUMS"}:
                link = sandbox / "spoilt" / name
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(path)
        (sandbox / "good.jsonl").symlink_to(material.folder / "predictions.jsonl")

    return beside


def _recipes(material: Material) -> list[Seed]:
    plan = ["build FILE -o out/release --plan"]
    seeds = [
        Seed(name="recipe.yaml", data=material.read("recipe.yaml"), mutate=mutate_text, commands=plan),
    ]
    for ending, mutate in (("csv", mutate_text), ("jsonl", mutate_json_lines), ("parquet", mutate_bytes)):
        seeds.append(
            Seed(
                name=f"data.{ending}",
                data=material.read(f"data.{ending}"),
                mutate=mutate,
                commands=["build recipe.yaml -o out/release --plan"],
                beside=_recipe_for(ending),
            )
        )
    return seeds


def _recipe_for(ending: str) -> Callable[[Path], None]:
    def beside(sandbox: Path) -> None:
        (sandbox / "recipe.yaml").write_text(DATA_RECIPE % ending, encoding="utf-8")

    return beside


def _archives(material: Material) -> list[Seed]:
    import bz2
    import gzip
    import lzma

    plain = gzip.decompress(material.read("release.tar.gz"))
    packed = {
        "r.tar": plain,
        "r.tar.gz": gzip.compress(plain, mtime=0),
        "r.tar.xz": lzma.compress(plain, preset=0),
        "r.tar.bz2": bz2.compress(plain),
    }
    commands = ["download FILE -o out/release"]
    spoilt = [
        Seed(name=name, data=data, mutate=mutate_bytes, commands=commands) for name, data in packed.items()
    ]
    made = Seed(name="r.tar", data=plain, mutate=mutate_archive, commands=commands)
    return [*spoilt, *[made] * len(spoilt)]


def _results(material: Material) -> list[Seed]:
    def beside(sandbox: Path) -> None:
        for name in ("results/twin.json", "leaderboard.json"):
            (sandbox / name).parent.mkdir(exist_ok=True)
            (sandbox / name).write_bytes(material.read(name))

    return [
        Seed(
            name="results/spoilt.json",
            data=material.read("result.json"),
            mutate=mutate_json,
            commands=["leaderboard results -o out/leaderboard.json", "report FILE -o out/report.html"],
        ),
        Seed(
            name="results/spoilt.json",
            data=material.read("result.json"),
            mutate=mutate_json,
            commands=["stability RELEASE results -o out/stability.json"],
            beside=beside,
        ),
        Seed(
            name="stability.json",
            data=material.read("stability.json"),
            mutate=mutate_json,
            commands=["site leaderboard.json --stability FILE -o out/site"],
            beside=beside,
        ),
        Seed(
            name="leaderboard.json",
            data=material.read("leaderboard.json"),
            mutate=mutate_json,
            commands=["site FILE -o out/site"],
        ),
    ]


OWN_PART = "own_part.py"
PLUG_IN = b"""\
from builder.filters.filter import Filter
from contract.schema.drop_reasons import Reason

LOUD = Reason("loud", "the case shouts", "fidelity")


def check(context, records):
    return [LOUD if record.text.isupper() else None for record in records]


QUIET = Filter(name="quiet", summary="drops what shouts", check=check, reasons=(LOUD,))
"""
CARD = b"""\
title: Made-up texts
origin: Written for this test.
creators: nobody
homepage: https://example.org/made-up
licence: none
language: en
collection: By hand.
annotation: By lot.
labels: {negative: bad, positive: good}
biases: All of them.
sensitive: Nothing.
consent: Nobody was asked.
citation: None.
"""


def _own_files(material: Material) -> list[Seed]:
    """Return what people write for their own benchmarks: cards, labels kept back, word lists, plug-ins."""
    labels = Seed(
        name="labels.jsonl",
        data=material.read("labels.jsonl"),
        mutate=mutate_json_lines,
        commands=[
            "score RELEASE good.jsonl --labels FILE --model-name fuzzed -o out/result.json --resamples 0"
        ],
        beside=_release_without(material, ""),
    )
    words = Seed(
        name="words.txt",
        data=b"film flim fillm\nfine fien\ndull dul\n",
        mutate=mutate_text,
        commands=["build recipe.yaml -o out/release --plan"],
        beside=_recipe_with("csv", "dimensions: [natural-noise]\nmisspellings: file:words.txt\n", material),
    )
    return [
        Seed(
            name="cards/mr.yaml",
            data=CARD,
            mutate=mutate_text,
            commands=["publish RELEASE --repo a/b --cards cards --dry-run"],
        ),
        labels,
        words,
        # Its code runs, as its owner asks: what it raises is told without a traceback of ours.
        Seed(name=OWN_PART, data=PLUG_IN, mutate=mutate_text, commands=["check-part python:own_part:QUIET"]),
    ]


def _recipe_with(ending: str, other: str, material: Material) -> Callable[[Path], None]:
    def beside(sandbox: Path) -> None:
        recipe = (DATA_RECIPE % ending).replace("dimensions: [typo-general]\n", other)
        (sandbox / "recipe.yaml").write_text(recipe, encoding="utf-8")
        (sandbox / f"data.{ending}").write_bytes(material.read(f"data.{ending}"))

    return beside


def read_replies(data: bytes) -> int:
    """Read a spoilt reply of a chat endpoint in each way in which replies are read, and print it."""
    from classifiers.machinery.chat.connections import Reply
    from classifiers.machinery.chat.replies import completion_of, fault_of, model_names, retry_after_seconds

    headers = {"retry-after": data[:40].decode("latin-1")}
    reply = Reply(status=200, headers=headers, body=data)
    completion = completion_of(reply)
    sys.stdout.write(f"{completion!r}\n{fault_of(reply)!r}\n{len(model_names(reply))}\n")
    sys.stdout.write(f"{retry_after_seconds(reply)}\n")
    return 0
