"""Files of tokens: CoNLL-U, and columns of tokens and labels with an empty line after each sentence."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from builder.tasks.task_recipe import Columns

CONLLU = ".conllu"
# Where CoNLL-U has a word's number, its form and its universal part of speech.
_NUMBER, _FORM, _UPOS, _N_COLUMNS = 0, 1, 3, 10
# Begins a document in files of CoNLL's shared tasks, and is no token.
_DOCUMENT = "-DOCSTART-"

Record = tuple[int, dict[Any, Any] | str]


def conllu_records(lines: list[str], columns: "Columns") -> Iterator[Record]:
    """Yield (first line, sentence) of a CoNLL-U file: words and universal parts of speech, nothing else.

    Lines of tokens that are several words (1-2) and of words that are not written (8.1) are passed over.
    """
    for start, sentence in _sentences(lines):
        tokens, tags, fault = [], [], ""
        for offset, line in sentence:
            cells = line.split("\t")
            if line.startswith("#"):
                continue
            if len(cells) != _N_COLUMNS:
                fault = f"line {offset}: {len(cells)} columns, CoNLL-U has {_N_COLUMNS}, parted by tabs"
                break
            if cells[_NUMBER].isdecimal():
                tokens.append(cells[_FORM])
                tags.append(cells[_UPOS])
        if fault or tokens:
            yield start, fault or {columns.text: tokens, columns.label: tags}


def column_records(lines: list[str], columns: "Columns") -> Iterator[Record]:
    """Yield (first line, sentence) of a file with a token a line: its first column, and its label, its last.

    Numbers under read.columns name other columns.
    """
    token_place = columns.text if isinstance(columns.text, int) else 0
    tag_place = columns.label if isinstance(columns.label, int) else -1
    for start, sentence in _sentences(lines):
        tokens, tags, fault = [], [], ""
        for offset, line in sentence:
            cells = line.split("\t") if "\t" in line else line.split()
            if cells[0] == _DOCUMENT:
                continue
            if len(cells) < max(2, token_place + 1, tag_place + 1):
                fault = f"line {offset}: {len(cells)} columns, expected a token and its label"
                break
            tokens.append(cells[token_place])
            tags.append(cells[tag_place])
        if fault or tokens:
            yield start, fault or {columns.text: tokens, columns.label: tags}


def _sentences(lines: list[str]) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Yield the lines between empty ones, numbered from 1."""
    sentence: list[tuple[int, str]] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            sentence.append((number, line))
        elif sentence:
            yield sentence[0][0], sentence
            sentence = []
