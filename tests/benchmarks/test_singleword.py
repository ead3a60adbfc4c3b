"""The benchmark of single words: its answers are the network's own, and its figure has what it says."""

from pathlib import Path

import numpy as np

from benchmarks.singleword.answers import coded, kept_answers
from benchmarks.singleword.drawing import Curve, draw
from builder.singleword.sentences import sentences_of
from builder.values.samples import Sample
from classifiers import TRAINABLE_KINDS, TrainingSet
from classifiers.machinery.inference import Inference

WORDS = ["bad", "fine", "film", "unheard", "dull", "it"]


def test_answers_from_parts_of_convolutions_are_the_networks_own(tmp_path: Path) -> None:
    """At the ends of a text, beside marks, and in the place of a word of several tokens; kept on disk."""
    texts = [(f"a {'fine' if n % 2 else 'dull'} film, number {n}", None) for n in range(40)]
    training = TrainingSet(texts=texts, labels=[n % 2 for n in range(40)], n_labels=2, seed=0)
    TRAINABLE_KINDS["cnn"].train(training, tmp_path)
    inference = Inference(TRAINABLE_KINDS["cnn"].load(tmp_path), "0" * 64, None)
    sample = Sample(id="s", text="it's a fine film, well-made (mostly)", text_pair=None, label=1)
    (sentence,) = sentences_of([sample], "text")
    found = kept_answers(tmp_path, inference, sentence, WORDS, 0)
    places = [(place, word) for place in range(len(sentence.positions)) for word in WORDS]
    asked = [coded(sentence).with_word(*each) for each in places]
    assert found.votes(asked) == inference.votes([sentence.with_word(*each) for each in places])
    assert len(set(found.votes(asked))) == 2
    (path,) = tmp_path.glob("answers-*.npy")
    np.save(path, 1 - found.labels)
    again = kept_answers(tmp_path, inference, sentence, WORDS, 0)
    assert again.votes(asked) == [1 - vote for vote in found.votes(asked)]


def test_the_figure_names_its_curves_and_brute_force() -> None:
    """Points further right are later, higher ones less robustness found out."""
    svg = draw([Curve(name="euba", points=[(1, 0.9), (2, 0.85)])], floor=0.84, title="a <network>")
    assert "a &lt;network&gt;" in svg
    assert "brute force 0.8400" in svg
    assert svg.count("<circle") == 2
    assert ">euba</text>" in svg
