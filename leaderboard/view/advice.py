"""Texts about dimensions and settings: what they demand of a model, and what helps a weak model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from contract.schema.manifest import DimensionInfo

Standing = Literal["steady", "bends", "breaks"]

# The score that ranks, divided by the clean score. On the reference release a third of all scores in a
# dimension are steady, and two thirds bend or better.
STEADY_FROM = 0.9
BENDS_FROM = 0.7

STANDINGS: Mapping[Standing, str] = {
    "steady": f"keeps {100 * STEADY_FROM:g} % of its clean score or more in the worst case",
    "bends": f"keeps {100 * BENDS_FROM:g} % or more",
    "breaks": f"keeps less than {100 * BENDS_FROM:g} %",
}

SETTINGS: Mapping[str, str] = {
    "rule": "edits are drawn at random and no model is asked: what an ordinary user meets",
    "score": "edits are chosen by the probabilities of a surrogate model: an attacker who can query a model",
    "gradient": "edits are chosen by the gradients of a surrogate model: an attacker who has a similar model",
}
# Those of an audit.
AUDIT_SETTINGS: Mapping[str, str] = {
    "rule": SETTINGS["rule"],
    "live": "edits are chosen by the probabilities of this very model: an attacker who can query it",
}

MEASURES: Mapping[str, str] = {
    "edit": "share of characters edited",
    "words": "share of words changed",
    "embedding": "distance of the sentence embeddings",
}

TAGS: Mapping[str, str] = {
    "general": "Ordinary people write like this and mean no harm.",
    "malicious": "People who want the model to fail write like this and do not care how it looks.",
}


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What a dimension demands of a model, and what to try if the model is weak there."""

    asks: str
    steps: tuple[str, ...]


# By the name of a dimension without its flavour; a dimension that is not here uses its level, then "".
_ADVICE: Mapping[str, Advice] = {
    "typo": Advice(
        asks="read words in which characters are missing, doubled, swapped or from a neighbouring key.",
        steps=(
            "Fine-tune with keyboard slips in a share of the training texts.",
            "Let subwords vary in training (BPE dropout), or use a character- or byte-level encoder.",
            "Try a spelling corrector in front, and score clean texts again: it also breaks rare words.",
        ),
    ),
    "glyph": Advice(
        asks="read words in which characters are replaced by others that look alike.",
        steps=(
            "Normalise before the tokenizer: NFKC, then fold confusables to the script of the word.",
            "Strip zero-width characters and, where the language allows it, stray accents.",
            "Fine-tune on what normalising does not change, such as digits in place of letters.",
        ),
    ),
    "phonetic": Advice(
        asks="read words that are spelled as they sound.",
        steps=(
            "Fine-tune with respellings from a pronunciation dictionary.",
            "Replace common respellings (u, gr8, thru) by the usual spelling before classifying.",
            "If words are features, add phonetic codes or character n-grams.",
        ),
    ),
    "synonym": Advice(
        asks="keep the answer when words are replaced by others of the same meaning.",
        steps=(
            "Find the words that decide: a model that depends on a few words fails without them.",
            "Fine-tune with words replaced by synonyms in a share of the training texts.",
            "Start from a larger or better pretrained encoder.",
        ),
    ),
    "contextual": Advice(
        asks="keep the answer when words are replaced by others that fit the sentence.",
        steps=(
            "Fine-tune with words replaced by a masked language model, where the label stays the same.",
            "Try adversarial training in the embedding space.",
            "Read the cases first: where the meaning has changed, the case may be wrong, not the model.",
        ),
    ),
    "inflection": Advice(
        asks="understand words in another inflected form, as learners of a language write them.",
        steps=(
            "Fine-tune with inflected forms replaced at random; a small share of texts is enough.",
            "Lemmatise if words are features, or let stems and endings be separate tokens.",
            "Add text of non-native writers to the training data.",
        ),
    ),
    "syntax": Advice(
        asks="keep the answer when the same thing is said in another order or form.",
        steps=(
            "Fine-tune with paraphrases of the training texts.",
            "Check whether the model depends on the position of words, such as the beginning or the end.",
            "Check negations and passives by hand: there, a small change of form changes the meaning.",
        ),
    ),
    "distraction": Advice(
        asks="keep the answer when irrelevant text is added.",
        steps=(
            "Fine-tune with neutral sentences added before, between and after.",
            "Classify sentence by sentence and average the answers, so that added text counts less.",
            "Check how much text the model reads: text beyond its limit is ignored.",
        ),
    ),
    "char": Advice(
        asks="read words in which characters are changed.",
        steps=(
            "Normalise or correct the input before the tokenizer, and score clean texts again.",
            "Fine-tune with the same kind of noise in a share of the training texts.",
            "Use a character- or byte-level encoder, or let subwords vary in training.",
        ),
    ),
    "word": Advice(
        asks="keep the answer when words are replaced by others of the same meaning.",
        steps=(
            "Find the words that decide: a model that depends on a few words fails without them.",
            "Fine-tune with the same kind of replacement in a share of the training texts.",
            "Start from a larger or better pretrained encoder.",
        ),
    ),
    "sentence": Advice(
        asks="keep the answer when the sentence is put differently or something is added.",
        steps=(
            "Fine-tune with paraphrases and with irrelevant sentences added.",
            "Classify sentence by sentence and average the answers.",
            "Read the cases first: where the meaning has changed, the case may be wrong, not the model.",
        ),
    ),
    "": Advice(
        asks="keep the answer when the text is perturbed in this way.",
        steps=(
            "Read the cases that the model gets wrong and look for what they have in common.",
            "Fine-tune with the same kind of perturbation in a share of the training texts.",
            "Undo the perturbation before classifying if possible, and score clean texts again.",
        ),
    ),
}


def advice_for(name: str, info: DimensionInfo | None) -> Advice:
    """Return the advice for a dimension, else for its level, else the general advice."""
    stem = name.removesuffix("-general").removesuffix("-malicious")
    level = (info.level if info else None) or ""
    return _ADVICE.get(stem) or _ADVICE[level]


def standing_of(score: float, clean: float | None) -> Standing | None:
    """Return the word for the share of the clean score that remains, or None if unknown."""
    if not clean:
        return None
    kept = score / clean
    return "steady" if kept >= STEADY_FROM else "bends" if kept >= BENDS_FROM else "breaks"
