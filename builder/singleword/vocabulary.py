"""The words that are put into texts: of letters only, from the classifier, a file or the data."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from builder.values.samples import Sample
from contract.machine.errors import bad_input
from contract.schema.edits import words_of

# A letter alone is no word that anybody would call the reason of an answer.
FEWEST_LETTERS = 2
MOST_BYTES = 50_000_000
# Words that are taken from the data: the most frequent ones.
MOST_WORDS_OF_DATA = 20_000


def is_word(entry: str) -> bool:
    """Whether an entry of a vocabulary is a word: letters only, at least two."""
    return len(entry) >= FEWEST_LETTERS and entry.isalpha()


def words_only(entries: Iterable[str]) -> list[str]:
    """Return the words among entries, sorted, each once."""
    return sorted({entry for entry in entries if is_word(entry)})


def words_of_data(samples: Sequence[Sample], n_words: int = MOST_WORDS_OF_DATA) -> list[str]:
    """Return the most frequent words of texts in small letters, for models that name none."""
    counts = Counter(
        core
        for sample in samples
        for text in (sample.text, sample.text_pair or "")
        for word in words_of(text)
        if is_word(core := core_of(word.text).lower())
    )
    frequent = sorted(counts, key=lambda word: (-counts[word], word))
    return sorted(frequent[:n_words])


def words_of_file(path: Path) -> list[str]:
    """Return the words of a file with one word a line; a line that is no word is an error."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise bad_input(f"{path}: larger than {MOST_BYTES:,} bytes; expected one word a line")
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise bad_input(f"{path}: there is no such file; expected one word a line") from None
    except (OSError, UnicodeDecodeError) as error:
        raise bad_input(f"{path}: cannot be read: {error}; expected UTF-8, one word a line") from None
    words = [line.strip() for line in lines]
    wrong = [(number, word) for number, word in enumerate(words, 1) if word and not is_word(word)]
    if wrong:
        number, word = wrong[0]
        raise bad_input(
            f"{path}:{number}: {word[:40]!r} is not a word of two letters or more; expected one word a line,"
            f" letters only ({len(wrong)} such lines)"
        )
    if not any(words):
        raise bad_input(f"{path}: has no words; expected one word a line")
    return words_only(words)


def core_of(token: str) -> str:
    """Return a token without the marks around its letters and digits."""
    start, end = core_span(token)
    return token[start:end]


def core_span(token: str) -> tuple[int, int]:
    """Return where the letters and digits of a token begin and end; marks inside it belong to it."""
    places = [place for place, character in enumerate(token) if character.isalnum()]
    return (places[0], places[-1] + 1) if places else (0, 0)
