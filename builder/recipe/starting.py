"""Writes a first recipe for a data file, with a comment for each choice, and a card for it to fill in."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from builder.tasks.columns import ColumnNames

# A first build should not take long; a benchmark that people compete on has more.
MOST_SAMPLES = 200
# What stays for training, and for learning which words speak for a label.
SHARE_OF_SAMPLES = 0.5
FEW_SAMPLES = 40
MOST_CHARACTERS_OF_A_NAME = 60
GENERAL = ("typo-general", "glyph-general", "phonetic-general", "inflection", "synonym")
MALICIOUS = ("typo-malicious", "glyph-malicious", "phonetic-malicious")


@dataclass(frozen=True, kw_only=True)
class FirstRecipe:
    """What a recipe for a data file begins with."""

    path: Path
    name: str
    columns: ColumnNames
    has_header: bool
    # How many rows have each label, most frequent first.
    labels: Counter[str]
    n_rows: int
    n_distinct: int
    n_unlabelled: int

    @property
    def n_samples(self) -> int:
        """How many rows become samples."""
        return max(1, min(MOST_SAMPLES, int(self.n_distinct * SHARE_OF_SAMPLES)))


def name_for(path: Path) -> str:
    """Return a name of a release and task for a file."""
    name = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
    return name[:MOST_CHARACTERS_OF_A_NAME].strip("-") or "mine"


def recipe_text(first: FirstRecipe, data: str) -> str:
    """Return the recipe as YAML; `data` is the path of the data file from the recipe's folder."""
    counts = ", ".join(f"{label}: {n:,}" for label, n in first.labels.most_common(8))
    pair = first.columns.text_pair
    lines = [
        f"# A first recipe for {first.path.name}. It builds as it is: hardfrost build RECIPE -o release",
        "# Every key: docs/recipe_keys.md. What a build would do, without doing it: add --plan.",
        f"name: {first.name}",
        'version: "1.0"',
        "# The same seed gives the same rows.",
        "seed: 1",
        "tasks:",
        f"  - name: {first.name}",
        f"    # {first.n_rows:,} rows, {first.n_distinct:,} different texts.",
        f"    source: {_yaml(f'file:{data}')}",
        "    read:",
        *(
            []
            if first.has_header
            else ["      # Its first line is a row: columns have numbers.", "      header: false"]
        ),
        "      columns:",
        f"        text: {_column(first.columns.text, first)}",
        *([] if pair is None else [f"        text_pair: {_column(pair, first)}"]),
        f"        label: {_column(first.columns.label or '', first)}",
    ]
    if first.n_unlabelled:
        lines += [f"      # {first.n_unlabelled:,} rows have no label.", "      unlabelled: drop"]
    lines += [
        *(
            []
            if pair is None
            else ["    # Which of the two texts is perturbed: text or text_pair.", "    perturb: text"]
        ),
        f"    # Found: {counts}.",
        f"    labels: [{', '.join(_yaml(label) for label in sorted(first.labels))}]",
        "    # Drawn at random; all other rows are for training. More samples give smaller intervals.",
        f"    samples: {first.n_samples}",
        "    # licence: what you may do with the data",
        "dimensions:",
        "  # What happens by accident, and what people write on purpose to get past a filter.",
        *(f"  - {{name: {name}, degrees: [0.1, 0.2, 0.3]}}" for name in (*GENERAL, *MALICIOUS)),
        "  # Slower, since a language model fills the gaps or measures the distance:",
        "  # - contextual",
        "  # - syntax",
        "  # - distraction",
        "# Random cases need no model. For attacks add score, which trains surrogates and takes far longer.",
        "settings: [rule]",
        "cases: {rule: 2}",
        *(
            []
            if first.n_samples >= FEW_SAMPLES
            else ["# Few samples: their scores have wide intervals.", "min_samples: 5"]
        ),
    ]
    return "\n".join(lines) + "\n"


def card_text(labels: Iterable[str]) -> str:
    """Return a card for the data: what readers of a benchmark must know, to be filled in."""
    todo = "TO FILL IN:"
    lines = [
        "# What readers of the benchmark must know of its data. Fill in every line before you publish it.",
        f"title: {todo} what the data set is called",
        f"origin: {todo} where the data comes from, and when",
        f"creators: {todo} who made it",
        f"homepage: {todo} where it is described",
        f"licence: {todo} what others may do with it",
        "language: en",
        f"collection: {todo} how the texts were collected",
        f"annotation: {todo} who gave the labels, and by which rules",
        "labels:",
        *(f"  {_yaml(label)}: {todo} what it means" for label in sorted(labels)),
        f"biases: {todo} whom or what it over- or under-represents",
        f"sensitive: {todo} whether it holds names, insults or private matters",
        f"consent: {todo} whether those who wrote it or are named in it were asked; or take this line out",
        f"citation: {todo} how to cite it",
    ]
    quoted = [re.sub(rf": {todo} (.*)$", rf': "{todo} \1"', line) for line in lines]
    return "\n".join(quoted) + "\n"


def _column(name: str, first: FirstRecipe) -> str:
    return _yaml(name) if first.has_header else name


def _yaml(value: str) -> str:
    """Return a text as YAML reads it back: quoted, unless it is plainly a word."""
    is_word = re.fullmatch(r"[A-Za-z][A-Za-z_-]*", value) and value.lower() not in _OTHER_THINGS
    return value if is_word else json.dumps(value, ensure_ascii=False)


# Words that YAML takes for something else than text.
_OTHER_THINGS = {"yes", "no", "on", "off", "true", "false", "null", "y", "n", "nan", "inf"}
