"""Derives the tagger's lexicon: which tags a word can have, and its cluster of similar words."""

import json
from collections.abc import Iterable
from pathlib import Path

import lemminflect
import numpy as np
from safetensors.numpy import load_file
from sklearn.cluster import MiniBatchKMeans
from wordfreq import iter_wordlist, zipf_frequency

from builder.language.tagger.features import UNKNOWN, LexiconEntry

# Words rarer than this (per thousand million, as a power of ten) are left to their endings.
LOWEST_FREQUENCY = 1.5
N_CLUSTERS = 256


def make_lexicon(encoder_path: Path) -> dict[str, LexiconEntry]:
    """Return the entries of frequent English words, and of the words in an encoder's vocabulary."""
    tags = {word: _possible_tags(word) for word in _frequent_words()}
    clusters = _clusters(encoder_path)
    entries = {
        word: LexiconEntry(tags.get(word, UNKNOWN.tags), clusters.get(word, UNKNOWN.cluster))
        for word in sorted({*tags, *clusters})
    }
    return {word: entry for word, entry in entries.items() if entry != UNKNOWN}


def _frequent_words() -> Iterable[str]:
    return (
        word
        for word in iter_wordlist("en")
        if word.isascii() and word.isalpha() and zipf_frequency(word, "en") >= LOWEST_FREQUENCY
    )


def _possible_tags(word: str) -> str:
    """Return the tags under which the inflection tables list a form."""
    found = {
        tag
        for part_of_speech, lemmas in lemminflect.getAllLemmas(word).items()
        for lemma in lemmas
        for tag, forms in lemminflect.getAllInflections(lemma, upos=part_of_speech).items()
        if word in forms
    }
    return ",".join(sorted(found)) or UNKNOWN.tags


def _clusters(encoder_path: Path) -> dict[str, str]:
    """Return for each word of the encoder's vocabulary the number of its cluster of word vectors."""
    vocabulary = json.loads((encoder_path / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    tensors = load_file(encoder_path / "model.safetensors")
    vectors = next(value for name, value in tensors.items() if name.endswith("word_embeddings.weight"))
    words = sorted(word for word in vocabulary if not word.startswith(("##", "[")))
    chosen = vectors[[vocabulary[word] for word in words]]
    chosen = chosen - chosen.mean(axis=0)
    chosen /= np.linalg.norm(chosen, axis=1, keepdims=True)
    fitted = MiniBatchKMeans(N_CLUSTERS, random_state=0, batch_size=4096, n_init=1, max_iter=30).fit(chosen)
    return {word: str(cluster) for word, cluster in zip(words, fitted.labels_.tolist(), strict=True)}
