"""The context of a word is its sentence, if that is neither short nor long."""

from hypothesis import given
from hypothesis import strategies as st

from builder.language.sentences.contexts import FEWEST_WORDS, MOST_WORDS, contexts_of
from contract.schema.edits import words_of

REVIEW = (
    "It begins as a slow drama about two brothers. Then somebody dies! The last hour is the best of all, and "
    "the ending is quite a surprise. Go."
)


def test_a_word_is_judged_in_its_sentence() -> None:
    """Sentences that are too short are joined with the next, or at the end with the last."""
    contexts = contexts_of(REVIEW, words_of(REVIEW))
    sentences = [REVIEW[start:end] for start, end in dict.fromkeys(contexts)]
    assert sentences == [
        "It begins as a slow drama about two brothers. ",
        "Then somebody dies! The last hour is the best of all, and the ending is quite a surprise. Go.",
    ]


def test_a_sentence_without_end_is_judged_in_parts() -> None:
    """However long a text without any full stop is, the context of a word stays short."""
    text = "and so on " * 200
    assert {len(text[start:end].split()) for start, end in contexts_of(text, words_of(text))} <= {
        MOST_WORDS,
        len(text.split()) % MOST_WORDS,
    }


@given(
    st.lists(st.sampled_from(["film", "end.", "why?", "\n", "...", "(no!)", "中文", "a"]), max_size=80).map(
        " ".join
    )
)
def test_every_word_stands_in_its_context_and_contexts_tile_the_text(text: str) -> None:
    """There is a span for each word; the spans follow each other and leave nothing out."""
    words = words_of(text)
    contexts = contexts_of(text, words)
    assert len(contexts) == len(words)
    for word, (start, end) in zip(words, contexts, strict=True):
        assert start <= word.start < word.end <= end
        assert len(words_of(text[start:end])) <= MOST_WORDS + FEWEST_WORDS
    different = list(dict.fromkeys(contexts))
    assert "".join(text[start:end] for start, end in different) == (text if words else "")
