"""Words typical of one class, learned from training rows that hold no benchmark sample."""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from builder.values.samples import Sample
from contract.machine.hashes import hash_of
from contract.machine.json_text import pretty_json
from contract.machine.whole_files import write_text

# A word is typical of a class when its log-odds against the other classes are this large, and this many
# standard errors above 0: the first keeps function words out, the second words seen too rarely.
LEAST_LOG_ODDS = 0.7
LEAST_Z = 2.0
LEAST_ROWS = 5
# Every class starts with this share of the whole corpus: Monroe, Colaresi and Quinn's informative prior.
PRIOR = 0.01

_CORE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

# Word to label index.
Associations = Mapping[str, int]


def cores_of(text: str) -> list[str]:
    """Return the words of a text as associations list them: small letters, no punctuation."""
    return [match.group().replace("’", "'") for match in _CORE.finditer(text.casefold())]


def core_spans(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text in small letters begin and end."""
    return [match.span() for match in _CORE.finditer(text)]


def learn(train: Sequence[Sample], n_labels: int) -> dict[str, int]:
    """Return each word that is typical of one class, and its label, by log-odds with an informative prior."""
    counts = [Counter[str]() for _ in range(n_labels)]
    for sample in train:
        # Each row counts a word once, however often its text repeats it.
        counts[sample.label].update(sorted(set(cores_of(f"{sample.text} {sample.text_pair or ''}"))))
    total: Counter[str] = Counter()
    for of_label in counts:
        total.update(of_label)
    n_total, totals = total.total(), [of_label.total() for of_label in counts]
    words = [word for word, n in total.items() if n >= LEAST_ROWS and len(word) > 1]
    typical = {}
    for word in sorted(words):
        odds = [
            _log_odds(of_label[word], total_here, total[word], n_total)
            for of_label, total_here in zip(counts, totals, strict=True)
        ]
        best = max(range(n_labels), key=odds.__getitem__)
        n_here, n_elsewhere = counts[best][word], total[word] - counts[best][word]
        error = math.sqrt(1 / (n_here + PRIOR) + 1 / (n_elsewhere + 1))
        if odds[best] >= max(LEAST_LOG_ODDS, LEAST_Z * error):
            typical[word] = best
    return typical


def _log_odds(n_here: int, total_here: int, n_all: int, total_all: int) -> float:
    """Return how much likelier a word is here than elsewhere, as log-odds smoothed by the whole corpus."""
    prior = PRIOR * n_all
    here = (n_here + prior) / (total_here + PRIOR * total_all)
    elsewhere = (n_all - n_here + prior) / (total_all - total_here + PRIOR * total_all)
    return math.log(here / (1 - here)) - math.log(elsewhere / (1 - elsewhere))


def name_of(associations: Associations) -> str:
    """Return the hash that names a list."""
    return hash_of(dict(associations))


def keep(cache_path: Path, associations: Associations) -> str:
    """Write the list into the cache and return the hash that names it; a damaged file is written again."""
    name, text = name_of(associations), pretty_json(dict(associations))
    path = _path(cache_path, name)
    if not path.is_file() or path.read_bytes() != text.encode():
        write_text(path, text)
    return name


@lru_cache(maxsize=32)
def load(cache_path: Path, name: str) -> Associations:
    """Return a list from the cache, read once for each process."""
    path = _path(cache_path, name)
    associations: dict[str, int] = json.loads(path.read_text(encoding="utf-8"))
    if hash_of(associations) != name:
        raise ValueError(f"{path}: the content does not have the hash in its name; delete it and build again")
    return associations


def _path(cache_path: Path, name: str) -> Path:
    return cache_path / "associations" / f"{name}.json"
