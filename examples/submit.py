"""Submits predictions that were made elsewhere to a leaderboard: python submit.py RELEASE [FOLDER]."""

import subprocess
import sys
from pathlib import Path

import hardfrost


def my_model(texts: list[str]) -> list[str]:
    """Return a label for each text; here, whatever a few words say."""
    good = ("good", "great", "funny", "best", "love", "enjoy")
    return ["positive" if any(word in text for word in good) else "negative" for text in texts]


def main(release_folder: str, folder: str = "submitted") -> None:
    """Answer every row, check and submit the answers, and write the leaderboard's site."""
    release = hardfrost.load(release_folder)
    # Made by any program, in any language: one answer for each id.
    answers = dict(
        zip(release.table["id"].to_pylist(), my_model(release.table["text"].to_pylist()), strict=True)
    )
    score = hardfrost.score(release, answers, name="a few words")
    print(score)

    # A file is what others can score again; the command also writes the text of a pull request.
    predictions = hardfrost.predict(release, my_model, Path(folder) / "predictions.jsonl")
    command = [sys.executable, "-m", "hardfrost", "submit", str(release.path), str(predictions.path)]
    model = ["--model-name", "a few words", "--organisation", "examples", "--revision", "1"]
    subprocess.run([*command, *model, "--results", str(Path(folder) / "results")], check=True)

    board = hardfrost.leaderboard(Path(folder) / "results", release=release)
    print(board)
    print(hardfrost.site(board, Path(folder) / "site", releases=release))


if __name__ == "__main__":
    main(*sys.argv[1:])
