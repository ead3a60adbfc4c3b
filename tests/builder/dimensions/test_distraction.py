"""Distraction appends irrelevant text after everything else, in the style of the text, and says nothing."""

import re
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textblob import TextBlob
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from builder.dimensions.distraction import DISTRACTION, MOST_PIECES, N_SLIGHT
from builder.language.sentences.neutral_sentences import (
    EMPTY_TAUTOLOGIES,
    FILLERS,
    TAUTOLOGIES,
    TOPICS,
    neutral_sentences,
)
from builder.language.words.negations import negations_of
from builder.models.resources import Resources
from builder.operations.dimension import TextToRewrite
from builder.values.associations import cores_of
from builder.values.randomness import Draw

REVIEW = "a warm and funny film , with two splendid actors ."
SLOT = re.compile(r"\{([a-z]+)(\d?)\}")
# Words that stand for the classes of news, of toxicity or of entailment, whatever else they may mean.
CLASS_WORDS = """
    game match team player coach race goal ball score league cup stadium season olympic
    market price shop store sale company bank oil stock profit money trade firm
    computer phone internet software web science space robot online network machine data
    war president country government police army minister election nation attack iraq china
    film movie actor story plot scene script director cast review book music song
    stupid idiot hate kill ugly dumb god sex gay black man woman he she they you
"""


def appended(text: str, seed: int = 1, avoid: frozenset[str] = frozenset()) -> list[str]:
    """Return what one series appends to a text, rewrite by rewrite."""
    subject = TextToRewrite(text=text, draw=Draw(seed, text), avoid=avoid)
    (series,) = DISTRACTION.write_series([subject], Resources())
    edits = [edit for rewrite in series for edit in rewrite.edits]
    assert all(edit.start == edit.end == len(text) and edit.original == "" for edit in edits)
    assert len(edits) == len(series)
    return [edit.replacement for edit in edits]


def bank() -> list[str]:
    """Return every fixed phrase and every filler of the grammar."""
    templates = [SLOT.sub(" ", template) for templates in TOPICS.values() for template in templates]
    fillers = [filler for fillers in FILLERS.values() for filler in fillers]
    return [*templates, *fillers, *TAUTOLOGIES, *EMPTY_TAUTOLOGIES]


def test_no_word_of_the_grammar_is_rated_by_a_sentiment_lexicon() -> None:
    """VADER and TextBlob find nothing in it, word by word or sentence by sentence."""
    rated = SentimentIntensityAnalyzer()
    for phrase in bank():
        assert rated.polarity_scores(phrase)["compound"] == 0, phrase
        for word in cores_of(phrase):
            assert word not in rated.lexicon, word
            assert TextBlob(word).sentiment.polarity == 0, word


def test_no_word_of_the_grammar_stands_for_a_class_or_negates() -> None:
    """Nothing of news, sport, money, machines, films, people or abuse."""
    words = {core for phrase in bank() for core in cores_of(phrase)}
    assert words.isdisjoint(CLASS_WORDS.split())
    assert not negations_of(" ".join(sorted(words)))


def test_the_grammar_makes_thousands_of_different_sentences() -> None:
    """Every slot has fillers, every filler is used, and articles fit what follows them."""
    n = 0
    for template in (template for templates in TOPICS.values() for template in templates):
        slots = SLOT.findall(template)
        n_here = 1
        for name, _ in slots:
            n_here *= len(FILLERS[name])
        n += n_here
        after_a = re.findall(r"\ba \{([a-z]+)\d?\}", template)
        assert all(filler[0] not in "aeiou" for name in after_a for filler in FILLERS[name]), template
    assert n > 10_000
    used = {name for templates in TOPICS.values() for text in templates for name, _ in SLOT.findall(text)}
    assert used == set(FILLERS)


def test_things_of_a_sentence_are_not_the_same_twice() -> None:
    """No wardrobe stands between the wardrobe and itself."""
    grammar = neutral_sentences(frozenset())
    draw = Draw(1)
    for topic, _ in product(grammar.topics, range(100)):
        sentence = grammar.sentence(topic, draw)
        assert "{" not in sentence
        for between in re.findall(r"between the (.+) and the (\w+ ?\w+)", sentence):
            assert between[0] != between[1]


def test_words_that_speak_for_a_class_are_not_used() -> None:
    """Words typical of a class of the task are left out, here half of the grammar."""
    words = sorted(
        {core for phrase in bank() for core in cores_of(phrase)} - {"the", "is", "and", "are", "a"}
    )
    avoid = frozenset(words[::2])
    for text in appended(REVIEW, avoid=avoid):
        assert avoid.isdisjoint(cores_of(text)), text


def test_where_every_word_speaks_for_a_class_only_handles_are_left() -> None:
    """Better a handle than a word that could be read as a label."""
    avoid = frozenset({core for phrase in bank() for core in cores_of(phrase)} | {"https"})
    assert all(re.fullmatch(r"( @[a-z0-9]+)+", text) for text in appended(REVIEW, avoid=avoid))


def test_the_first_rewrites_mean_almost_nothing() -> None:
    """Handles, links and empty clauses first; then clauses and sentences, one more in every rewrite."""
    texts = appended(REVIEW)
    for weak in texts[:N_SLIGHT]:
        rest = re.sub(r"@\w+|https://example\.(com|net|org)/\w+", "", weak)
        assert set(cores_of(rest)) <= {
            "and",
            *(core for text in EMPTY_TAUTOLOGIES for core in cores_of(text)),
        }
    for part in (texts[1:N_SLIGHT], texts[N_SLIGHT:]):
        assert all(longer.startswith(shorter) for shorter, longer in pairwise(part))
    assert len(texts) <= N_SLIGHT + MOST_PIECES


def test_no_link_leads_anywhere_and_no_name_spells_a_word() -> None:
    """Hosts are those reserved for examples; names have no vowel."""
    text = " ".join(appended(REVIEW, seed)[-1] for seed in range(30))
    for link in re.findall(r"\S*://\S*", text):
        assert re.fullmatch(r"https://example\.(com|net|org)/[bcdfghjklmnpqrstvwxz0-9]+", link)
    for handle in re.findall(r"@\S*", text):
        assert re.fullmatch(r"@[bcdfghjklmnpqrstvwxz][bcdfghjklmnpqrstvwxz0-9]+", handle)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("a warm film , and funny .", r" [a-z@][^A-Z]*"),
        ("a warm film , and funny", r" ((and |\. |@|https)[^A-Z]*)"),
        ("A warm film, and funny.", r" ([A-Z@]|https).*"),
        ("A warm film", r"(\. [A-Z]| and | @| https).*"),
        ("a warm film.", r" [^A-Z]*"),
        ("see https://example.org/film", r" .*"),
        ("A warm film. ", r"([A-Z@]|https).*"),
        ("A warm film\n", r"([A-Z@]|https|and).*"),
    ],
)
def test_the_joint_and_the_style_are_those_of_the_text(text: str, pattern: str) -> None:
    """Spaces before punctuation, small letters and missing full stops are as the text has them."""
    for seed in range(20):
        for addition in appended(text, seed):
            assert re.fullmatch(pattern, addition, flags=re.DOTALL), addition
            if " ," in text and "and" in addition.split():
                assert " ." in addition
                assert not re.search(r"[a-z]\.(\s|$)", addition)


def test_days_and_months_have_capitals_where_the_text_has_them() -> None:
    """As an English writer would put it."""
    proper = {*FILLERS["day"], *FILLERS["month"]}
    text = " ".join(appended("A warm film.", seed)[-1] for seed in range(10))
    assert proper.isdisjoint(re.findall(r"[a-z]+", re.sub(r"[A-Z][a-z]+", "", text)))
    assert re.search(r"\bMonday\b", text)


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=80), st.integers(0, 5))
def test_any_text_is_left_as_it_is(text: str, seed: int) -> None:
    """One insertion at the very end, never empty; nothing for a text without words."""
    additions = appended(text, seed)
    assert bool(additions) == any(character.isalnum() for character in text)
    assert all(addition.strip() for addition in additions)
