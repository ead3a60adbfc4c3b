"""Plain words about dimensions and settings: what they ask of a model, and what helps one that is weak."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from contract.schema.manifest import DimensionInfo

Standing = Literal["steady", "bends", "breaks"]

# Shares of the clean accuracy that remain on average.
STEADY_FROM = 0.95
BENDS_FROM = 0.8

STANDINGS: Mapping[Standing, str] = {
    "steady": f"keeps {100 * STEADY_FROM:g} % of its clean accuracy or more",
    "bends": f"keeps {100 * BENDS_FROM:g} % or more",
    "breaks": f"keeps less than {100 * BENDS_FROM:g} %",
}

SETTINGS: Mapping[str, str] = {
    "rule": "edits are drawn at random and no model is asked: what the average user runs into",
    "score": "edits are chosen by watching the probabilities of a stand-in model: an attacker who can query",
    "gradient": "edits are chosen by the gradients of a stand-in model: an attacker who owns one like yours",
}

MEASURES: Mapping[str, str] = {
    "edit": "share of characters edited",
    "words": "share of words changed",
    "embedding": "distance of the sentence embeddings",
}

TAGS: Mapping[str, str] = {
    "general": "Ordinary people write like this without meaning any harm.",
    "malicious": "Somebody who wants the model to fail writes like this and does not care how it looks.",
}


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What a dimension asks of a model, and what to try when the model is weak there."""

    asks: str
    steps: tuple[str, ...]


# By the name of a dimension without its flavour. Other dimensions fall back on their level, then on the last.
_ADVICE: Mapping[str, Advice] = {
    "typo": Advice(
        asks="read words whose characters were dropped, doubled, swapped or hit beside the right key.",
        steps=(
            "Fine-tune with keyboard slips in a share of the training texts.",
            "Let subwords vary in training (BPE dropout), or use a character- or byte-level encoder.",
            "Try a spelling corrector in front, and score clean texts again: it also breaks rare words.",
        ),
    ),
    "glyph": Advice(
        asks="read words in which characters were exchanged for others that look alike.",
        steps=(
            "Normalise before the tokenizer: NFKC, then fold confusables to the script of the word.",
            "Strip zero-width characters and, where the language allows it, stray accents.",
            "Fine-tune on what normalising cannot undo, such as digits for letters.",
        ),
    ),
    "phonetic": Advice(
        asks="read words that are spelled as they sound.",
        steps=(
            "Fine-tune with respellings from a pronunciation dictionary.",
            "Map widespread respellings back (u, gr8, thru) before classifying.",
            "Add sound keys or character n-grams as features where words are features.",
        ),
    ),
    "synonym": Advice(
        asks="keep the answer when words give way to others of the same meaning.",
        steps=(
            "Look at which words decide: a model that leans on a few cue words falls with them.",
            "Fine-tune with synonyms exchanged in a share of the training texts.",
            "Start from a larger or better pretrained encoder: it has seen more ways to say the same.",
        ),
    ),
    "contextual": Advice(
        asks="keep the answer when words give way to others that fit the sentence.",
        steps=(
            "Fine-tune with words refilled by a masked language model, keeping those that keep their label.",
            "Try adversarial training in the embedding space.",
            "Read the cases first: where the meaning has moved, the case and not the model may be at fault.",
        ),
    ),
    "inflection": Advice(
        asks="understand words in another inflected form, as learners of a language write them.",
        steps=(
            "Fine-tune with inflections exchanged at random; a small share of texts is enough.",
            "Lemmatise where words are features, or tokenize stems and endings apart.",
            "Add text of non-native writers to the training data.",
        ),
    ),
    "syntax": Advice(
        asks="keep the answer when the same thing is said in another order or form.",
        steps=(
            "Fine-tune with paraphrases of the training texts.",
            "Look for shortcuts by position: a model that reads beginnings or endings only shows here.",
            "Check negations and passives by hand: they are where form and meaning part.",
        ),
    ),
    "distraction": Advice(
        asks="keep the answer when irrelevant text is added.",
        steps=(
            "Fine-tune with neutral sentences added before, between and after.",
            "Classify sentence by sentence and pool the answers, so that fillers cannot outvote the rest.",
            "Check the longest input that the model reads: what is cut off cannot count.",
        ),
    ),
    "char": Advice(
        asks="read words whose characters were changed.",
        steps=(
            "Normalise or correct the input before the tokenizer, and score clean texts again.",
            "Fine-tune with the same kind of noise in a share of the training texts.",
            "Use a character- or byte-level encoder, or let subwords vary in training.",
        ),
    ),
    "word": Advice(
        asks="keep the answer when words are exchanged for others that mean the same.",
        steps=(
            "Look at which words decide: a model that leans on a few cue words falls with them.",
            "Fine-tune with the same kind of exchange in a share of the training texts.",
            "Start from a larger or better pretrained encoder.",
        ),
    ),
    "sentence": Advice(
        asks="keep the answer when the sentence is put differently or something is added.",
        steps=(
            "Fine-tune with paraphrases and with irrelevant sentences added.",
            "Classify parts of the text and pool the answers.",
            "Read the cases first: where the meaning has moved, the case and not the model may be at fault.",
        ),
    ),
    "": Advice(
        asks="keep the answer when the text is perturbed in this way.",
        steps=(
            "Read the cases that the model loses and look for what they share.",
            "Fine-tune with the same kind of perturbation in a share of the training texts.",
            "Undo the perturbation before classifying where that can be done, and score clean texts again.",
        ),
    ),
}


def advice_for(name: str, info: DimensionInfo | None) -> Advice:
    """Return advice for a dimension: its own, or that of its level, or what always helps."""
    stem = name.removesuffix("-general").removesuffix("-malicious")
    level = (info.level if info else None) or ""
    return _ADVICE.get(stem) or _ADVICE[level]


def standing_of(average: float, clean: float | None) -> Standing | None:
    """Return in a word how much of the clean accuracy remains on average."""
    if not clean:
        return None
    kept = average / clean
    return "steady" if kept >= STEADY_FROM else "bends" if kept >= BENDS_FROM else "breaks"
