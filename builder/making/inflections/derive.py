"""Derives the table of inflected forms from lemminflect's lexicon (MIT); wordfreq says which are common.

Run it as `python -m builder.making.inflections.derive`; a build needs only the file it writes.
"""

import gzip
from collections.abc import Iterable, Mapping

import click
import lemminflect
from wordfreq import iter_wordlist, zipf_frequency

from builder.language.words.inflected_forms import TABLE_PATH, TAGS_OF_PART_OF_SPEECH, Paradigm
from contract.machine.hashes import hash_of_file

# lemminflect's names of the parts of speech.
_UNIVERSAL = {"noun": "NOUN", "verb": "VERB", "adjective": "ADJ", "adverb": "ADV"}
# On the scale of powers of ten in a thousand million words: 3 is one in a million.
LEAST_FREQUENT_WORD = 2.0
# People say "funnier" but not "correcter"; rare plurals and verbs are plain to read.
LEAST_FREQUENT_FORM = {"noun": 2.0, "verb": 2.0, "adjective": 2.0, "adverb": 3.0}
# "informations": the plural of what has none, where people write it nonetheless.
LEAST_FREQUENT_REGULAR_PLURAL = 2.6
# Of several forms (dreamed, dreamt), the regular one if it is this frequent.
LEAST_FREQUENT_REGULAR = 2.2
REGULAR_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "noun": ("s",),
    "verb": ("ed", "s", "ing"),
    "adjective": ("er", "est"),
    "adverb": ("er", "est"),
}
LEAST_FREQUENT_UNLISTED = 2.0
SHORTEST_UNLISTED = 4
# A name's plural is much rarer than the name, and so is that of an adjective.
MOST_BEHIND = 1.3
PLURAL_ENDINGS = ("s", "men", "children", "people", "feet", "teeth", "mice", "geese")


def derive() -> list[Paradigm]:
    """Return the forms of every lemma that has several, the most frequent lemma first."""
    lemmas = {
        (part_of_speech, lemma)
        for word in _frequent_words()
        for part_of_speech, universal in _UNIVERSAL.items()
        for lemma in lemminflect.getAllLemmas(word, universal).get(universal, ())
        if lemma.isalpha() and lemma.islower()
    }
    ordered = sorted(lemmas, key=lambda pair: (-frequency(pair[1]), pair))
    paradigms = [Paradigm(part_of_speech, _forms(part_of_speech, lemma)) for part_of_speech, lemma in ordered]
    paradigms += [Paradigm("noun", pair) for pair in _unlisted_nouns()]
    return [paradigm for paradigm in paradigms if len(set(paradigm.forms) - {""}) > 1]


def frequency(word: str) -> float:
    """Return how frequent a word is, as a power of ten."""
    found: float = zipf_frequency(word, "en")
    return found


def _frequent_words() -> Iterable[str]:
    return (
        word
        for word in iter_wordlist("en")
        if word.isalpha() and word.islower() and frequency(word) >= LEAST_FREQUENT_WORD
    )


def _forms(part_of_speech: str, lemma: str) -> tuple[str, ...]:
    """Return a lemma's form for each tag of its part of speech; nothing where no common form is known."""
    listed: Mapping[str, tuple[str, ...]] = lemminflect.getAllInflections(
        lemma, upos=_UNIVERSAL[part_of_speech]
    )
    forms = []
    for tag in TAGS_OF_PART_OF_SPEECH[part_of_speech]:
        # A past participle that is not listed is like the past.
        options = listed.get(tag) or (listed.get("VBD") if tag == "VBN" else None) or ()
        best = _best(part_of_speech, lemma, options)
        if tag == "NNS" and best in {"", lemma}:
            best = _regular_plural(lemma)
        if tag == "NNS" and _is_rather_adjective(lemma, best):
            best = ""
        forms.append(best if best == lemma or frequency(best) >= LEAST_FREQUENT_FORM[part_of_speech] else "")
    # "hugest" without "huger" is nothing that people say.
    return tuple(forms) if part_of_speech not in {"adjective", "adverb"} or forms[1] else ()


def _best(part_of_speech: str, lemma: str, options: Iterable[str]) -> str:
    """Return the one of several forms to be used: a regular one if it is common, else the commonest.

    Regular ones are not taken for other words, as dove (dived), opera (opuses) and crew (crowed) are.
    """
    letters = [form for form in options if form.isalpha()]
    if part_of_speech == "noun":
        # No learned plurals: most people know no other form of "genus", and "opera" is none of "opus".
        letters = [form for form in letters if form == lemma or form.endswith(PLURAL_ENDINGS)]
    changed = [form for form in letters if form != lemma] or letters
    endings = REGULAR_ENDINGS[part_of_speech]
    regular = [form for form in changed if form.endswith(endings) and form[:2] == lemma[:2]]
    common = [form for form in regular if frequency(form) >= LEAST_FREQUENT_REGULAR]
    return max(common or changed, key=lambda form: (frequency(form), form), default="")


def _is_rather_adjective(lemma: str, plural: str) -> bool:
    """Whether a word is an adjective that is seldom used as a noun: worthy (worthies), wild (wilds)."""
    is_adjective = bool(lemminflect.getAllLemmas(lemma, "ADJ"))
    return is_adjective and frequency(plural) < frequency(lemma) - MOST_BEHIND


def _unlisted_nouns() -> list[tuple[str, str]]:
    """Return words that the lexicon lacks and that are written with and without -s: filmmaker, thriller."""
    unlisted = [word for word in _frequent_words() if not lemminflect.getAllLemmas(word)]
    return [
        (word, f"{word}s")
        for word in sorted(unlisted)
        if len(word) >= SHORTEST_UNLISTED
        and not word.endswith("s")
        and frequency(word) >= LEAST_FREQUENT_UNLISTED
        and frequency(f"{word}s") >= max(LEAST_FREQUENT_FORM["noun"], frequency(word) - MOST_BEHIND)
    ]


def _regular_plural(lemma: str) -> str:
    """Return a noun's plural by rule, if people write it."""
    plural = "".join(lemminflect.getAllInflectionsOOV(lemma, upos="NOUN").get("NNS", ())[:1])
    return plural if frequency(plural) >= LEAST_FREQUENT_REGULAR_PLURAL else ""


@click.command()
def main() -> None:
    """Write the table."""
    lines = ["\t".join([paradigm.part_of_speech, *paradigm.forms]) for paradigm in derive()]
    TABLE_PATH.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    sha256 = hash_of_file(TABLE_PATH)
    click.echo(
        f"{len(lines)} lemmas; sha256 {sha256} goes into builder/language/words/inflected_forms.py", err=True
    )


if __name__ == "__main__":
    main()
