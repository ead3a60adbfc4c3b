"""Pronunciations and frequencies of English words, read from the data files of pip packages."""

import importlib.util
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from builder.language.pronunciation.phonemes import VOWELS, from_arpabet, from_misaki
from contract.machine.errors import UserError

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")
_SIBILANTS = "szʃʒʧʤ"
_VOICELESS = "ptkfθ"
_UNKNOWN = -500_000_000


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """How words sound, how frequent they are (natural logarithms), which are curated and which no names."""

    phonemes: Mapping[str, str]
    frequency: Mapping[str, float]
    curated: frozenset[str]
    plain: frozenset[str]

    @property
    def by_frequency(self) -> list[str]:
        """The words whose sound and frequency are known, most frequent first."""
        known = [word for word in self.frequency if word in self.phonemes]
        return sorted(known, key=lambda word: (-self.frequency[word], word))


def load_lexicon() -> Lexicon:
    """Return misaki's dictionary, extended by regular inflection and by the CMU dictionary."""
    curated = _misaki()
    wide = _cmu()
    phonemes = {word.lower(): sound for word, sound in curated.items()} | {
        word: sound for word, sound in curated.items() if word.islower()
    }
    for word, fallback in wide.items():
        if word not in phonemes:
            phonemes[word] = _inflected(word, curated) or fallback
    frequency = _frequencies(wide)
    plain = {word for word in wide if word.islower() and (word in curated or _inflected(word, curated))}
    return Lexicon(
        phonemes=phonemes,
        frequency=frequency,
        curated=frozenset(word.lower() for word in curated),
        plain=frozenset(plain),
    )


def _misaki() -> dict[str, str]:
    """Return how each word sounds, names with their capital."""
    words: dict[str, str] = {}
    for name in ("us_gold.json", "us_silver.json"):
        path = _package_path("misaki") / "data" / name
        for word, entry in json.loads(path.read_text(encoding="utf-8")).items():
            # Words in capitals are spelled out: "CIA".
            if not _WORD.fullmatch(word.lower()) or (len(word) > 1 and word.isupper()):
                continue
            variants = {"DEFAULT": entry} if isinstance(entry, str) else entry
            sound = variants.get("DEFAULT") or next(filter(None, variants.values()), "")
            if sound and word not in words:
                words[word] = from_misaki(sound)
    return words


def _cmu() -> dict[str, str]:
    path = _package_path("pocketsphinx") / "model" / "en-us" / "cmudict-en-us.dict"
    words = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        word, *phones = line.split()
        if _WORD.fullmatch(word):
            words[word] = from_arpabet(phones)
    return words


def _frequencies(words: Mapping[str, str]) -> dict[str, float]:
    """Return the logarithm of each word's probability in pocketsphinx's language model."""
    pocketsphinx = importlib.import_module("pocketsphinx")
    path = _package_path("pocketsphinx") / "model" / "en-us" / "en-us.lm.bin"
    logarithms = pocketsphinx.LogMath()
    model = pocketsphinx.NGramModel(pocketsphinx.Config(), logarithms, str(path))
    found = {word: model.prob([word]) for word in words}
    return {word: logarithms.log_to_ln(value) for word, value in found.items() if value > _UNKNOWN}


def _inflected(word: str, stems: Mapping[str, str]) -> str | None:
    """Return how a regular plural, possessive, past or -ing form sounds, if its stem is known."""
    endings = (("'s", "", _add_s), ("ies", "y", _add_s), ("es", "e", _add_s), ("es", "", _add_s))
    more = (("s", "", _add_s), ("ied", "y", _add_d), ("ed", "e", _add_d), ("ed", "", _add_d))
    for ending, instead, add in (*endings, *more, ("ing", "", _add_ing), ("ing", "e", _add_ing)):
        stem = word.removesuffix(ending) + instead
        if word.endswith(ending) and stem in stems:
            return add(stems[stem])
    return None


def _add_s(stem: str) -> str:
    if stem[-1] in _SIBILANTS:
        return stem + "ɪz"
    return stem + ("s" if stem[-1] in _VOICELESS else "z")


def _add_d(stem: str) -> str:
    if stem[-1] in "td":
        return stem + "ɪd"
    return stem + ("d" if stem[-1] in VOWELS or stem[-1] not in _VOICELESS + _SIBILANTS[:1] + "ʃʧ" else "t")


def _add_ing(stem: str) -> str:
    return stem + "ɪŋ"


def _package_path(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise UserError(f"deriving pronunciations needs the package {package}; install it with pip")
    return Path(spec.origin).parent
