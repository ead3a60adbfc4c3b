"""Made-up reviews, a pipeline trained on others like them, and the audit that tests read."""

import csv
import random
from dataclasses import dataclass
from pathlib import Path

import joblib
from click.testing import CliRunner, Result
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import hardfrost

GOOD = ("charming", "delightful", "moving", "brilliant", "tender", "gripping", "graceful", "inspired")
BAD = ("tedious", "clumsy", "hollow", "lifeless", "careless", "shallow", "dreary", "pointless")
PLAIN = ("the", "film", "this", "story", "every", "scene", "second", "half", "performance", "ending")
DIMENSIONS = ("typo-malicious", "typo-general")
DEGREES = ("0.05", "0.1", "0.2")


def made_rows(n: int, seed: int) -> list[tuple[str, str]]:
    """Return texts of ten words, some of which speak for their label."""
    draw = random.Random(seed)
    rows = []
    for number in range(n):
        label = ("good", "bad")[number % 2]
        words = draw.choices(PLAIN, k=7) + draw.choices(GOOD if label == "good" else BAD, k=2 + number % 2)
        draw.shuffle(words)
        rows.append((f"{' '.join(words)} {number}", label))
    return rows


@dataclass(frozen=True)
class Audited:
    """An audit on disk, and what its command printed."""

    folder: Path
    data: Path
    model: Path
    printed: Result

    @property
    def arguments(self) -> list[str]:
        """The arguments of the command."""
        return arguments_of(self.folder, self.data, self.model)


def arguments_of(folder: Path, data: Path, model: Path) -> list[str]:
    """Return the arguments of an audit."""
    return [
        "audit",
        f"--model=sklearn:{model}",
        f"--data={data}",
        f"--output={folder}",
        f"--dimensions={','.join(DIMENSIONS)}",
        f"--degrees={','.join(DEGREES)}",
        "--limit=24",
        "--trust",
        "--time-budget=none",
        "--positive=bad",
    ]


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(hardfrost.cli, [str(argument) for argument in arguments])


def made_audit(folder: Path) -> Audited:
    """Return a finished audit."""
    data, model = folder / "reviews.csv", folder / "model.joblib"
    # No header and sorted by label, as people have such files.
    with data.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(sorted(made_rows(60, seed=1), key=lambda row: row[1]))
    texts, labels = zip(*made_rows(300, seed=2), strict=True)
    pipeline = make_pipeline(TfidfVectorizer(), LogisticRegression())
    joblib.dump(pipeline.fit(texts, labels), model)
    printed = run(*arguments_of(folder / "audit", data, model))
    assert printed.exit_code == 0, printed.output
    return Audited(folder / "audit", data, model, printed)
