"""Phonemes, one character each, and which of them a listener takes for one another."""

# Signs of misaki's dictionary and what we write for them; stress is left out.
_FROM_MISAKI = (
    ("ˈ", ""),
    ("ˌ", ""),
    ("ᵊ", "ə"),
    ("ᵻ", "ɪ"),
    ("ɜɹ", "R"),
    ("əɹ", "R"),
    ("ɜ", "R"),
    ("ʔn", "tən"),
    ("ʔ", "t"),
)
_FROM_ARPABET = {
    "AA": "ɑ",
    "AE": "æ",
    "AH": "ə",
    "AO": "ɔ",
    "AW": "W",
    "AY": "I",
    "B": "b",
    "CH": "ʧ",
    "D": "d",
    "DH": "ð",
    "EH": "ɛ",
    "ER": "R",
    "EY": "A",
    "F": "f",
    "G": "ɡ",
    "HH": "h",
    "IH": "ɪ",
    "IY": "i",
    "JH": "ʤ",
    "K": "k",
    "L": "l",
    "M": "m",
    "N": "n",
    "NG": "ŋ",
    "OW": "O",
    "OY": "Y",
    "P": "p",
    "R": "ɹ",
    "S": "s",
    "SH": "ʃ",
    "T": "t",
    "TH": "θ",
    "UH": "ʊ",
    "UW": "u",
    "V": "v",
    "W": "w",
    "Y": "j",
    "Z": "z",
    "ZH": "ʒ",
}
VOWELS = frozenset("æɛɪɑɔʌʊiuAIOWYəR")
# A tap is what t and d become between vowels; letters tell which it is.
TAP = "ɾ"

# For a phoneme of the original, those in the pronunciation of the new spelling that still sound like it.
SOUNDS_LIKE = {
    TAP: "td",
    "ə": "əɪʌ",
    "ɪ": "ɪə",
    "u": "uʊ",
    "ʊ": "ʊu",
    "θ": "θð",
    "ð": "ðθ",
    "ɑ": "ɑɔ",
    "ʒ": "ʒʤ",
}


def from_misaki(transcription: str) -> str:
    """Return our phonemes for a transcription of misaki's dictionary."""
    for theirs, ours in _FROM_MISAKI:
        transcription = transcription.replace(theirs, ours)
    return transcription


def from_arpabet(phones: list[str]) -> str:
    """Return our phonemes for a transcription without stress marks, in which AH is two vowels."""
    phonemes = "".join(_FROM_ARPABET[phone] for phone in phones)
    n_vowels = sum(phoneme in VOWELS for phoneme in phonemes)
    return phonemes.replace("ə", "ʌ") if n_vowels == 1 else phonemes


def sounds_like(original: str, other: str) -> bool:
    """Whether phonemes sound like the original ones, one by one."""
    return len(original) == len(other) and all(
        heard in SOUNDS_LIKE.get(phoneme, phoneme) for phoneme, heard in zip(original, other, strict=True)
    )
