"""Makes a surrogate a model of TextAttack, and a dimension a transformation of TextAttack."""

from collections.abc import Sequence
from typing import Any

from builder.models.resources import Resources
from builder.operations.dimension import AnyDimension, Dimension, WordsOfText
from builder.operations.operation import Operations
from builder.searches.textattacks.offline import textattack_imports
from classifiers.machinery.classifier import TextPair
from classifiers.machinery.inference import Inference
from contract.machine.errors import UserError
from contract.schema.edits import Word, apply_edits, words_of


def wrap(inference: Inference) -> Any:
    """Return a surrogate as a model that TextAttack can ask: batched, cached, padded as its texts need."""
    with textattack_imports():
        from textattack.models.wrappers import ModelWrapper

    class Wrapper(ModelWrapper):  # type: ignore[misc]
        """Asks a surrogate for probabilities."""

        model = None

        def __call__(self, text_input_list: Sequence[str | tuple[str, ...]], **_options: Any) -> Any:
            return inference.ask([_pair(text) for text in text_input_list])

    return Wrapper()


def as_transformation(dimension: AnyDimension, resources: Resources, label: int | None = None) -> Any:
    """Return a dimension of ours, at character or word level, as a TextAttack transformation.

    The label lets the dimension refuse words that speak for another one.
    """
    if not isinstance(dimension, Dimension):
        raise UserError(f"{dimension.name} rewrites texts; only what changes words can be a transformation")
    with textattack_imports():
        from textattack.transformations import WordSwap

    propose = dimension.propose

    class FromDimension(WordSwap):  # type: ignore[misc]
        """Offers the operations of a dimension on the words of a text."""

        def _get_transformations(self, current_text: Any, indices_to_modify: Any) -> list[Any]:
            text = current_text.text
            words = words_of(text)
            (proposals,) = propose([WordsOfText(text, words, label)], resources)
            changed_texts = []
            for index in sorted(indices_to_modify):
                start = len(current_text.text_until_word_index(index))
                swaps = _swaps(words, proposals, start, current_text.words[index])
                changed_texts += [current_text.replace_word_at_index(index, swap) for swap in swaps]
            return changed_texts

        def extra_repr_keys(self) -> list[str]:
            return []

    return FromDimension()


def _swaps(words: Sequence[Word], proposals: Sequence[Operations], start: int, token: str) -> list[str]:
    """Return what the operations make of a token of TextAttack, which may be a piece of a word of ours."""
    end = start + len(token)
    for word, operations in zip(words, proposals, strict=True):
        if word.start <= start and end <= word.end:
            inside = [
                [edit.shifted(word.start - start) for edit in operation.edits]
                for operation in operations.items
            ]
            return [
                apply_edits(token, edits)
                for edits in inside
                if all(edit.start >= 0 and edit.end <= len(token) for edit in edits)
            ]
    return []


def _pair(text: str | tuple[str, ...]) -> TextPair:
    return (text, None) if isinstance(text, str) else (text[0], text[1])
