"""Distraction appends irrelevant text after everything else, in the style of the text, and says nothing."""

import re
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textblob import TextBlob
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from builder.dimensions.distraction import CHOICE, DISTRACTION, MOST_PIECES, N_SLIGHT
from builder.filters.filter import FilterContext
from builder.filters.negation import check_negation
from builder.language.sentences.neutral_sentences import (
    SLOT,
    neutral_sentences,
    phrases_of,
    whole_pool,
    with_articles,
)
from builder.language.words.negations import negations_of
from builder.models.resources import Resources
from builder.operations.dimension import Rewrite, TextToRewrite
from builder.values.associations import cores_of
from builder.values.randomness import Draw
from contract.schema.edits import Edit
from contract.schema.records import Record

REVIEW = "a warm and funny film , with two splendid actors ."
# Words that stand for the classes of news, of toxicity or of entailment, whatever else they may mean.
CLASS_WORDS = """
    game match team player coach race goal ball score league cup stadium season olympic
    market price shop store sale company bank oil stock profit money trade firm
    computer phone internet software web science space robot online network machine data
    war president country government police army minister election nation attack iraq china
    film movie actor story plot scene script director cast review book music song
    stupid idiot hate kill ugly dumb god sex gay black man woman he she they you
"""


def appended(
    text: str, seed: int = 1, avoid: frozenset[str] = frozenset(), *, is_of_pair: bool = False
) -> list[str]:
    """Return what one series appends to a text, rewrite by rewrite."""
    subject = TextToRewrite(text=text, draw=Draw(seed, text), avoid=avoid, is_of_pair=is_of_pair)
    (series,) = DISTRACTION.write_series([subject], Resources())
    return [_replacement(text, rewrite) for rewrite in series]


def to_choose(text: str, *, is_of_pair: bool = False, avoid: frozenset[str] = frozenset()) -> list[str]:
    """Return what an attack may append to a text, piece by piece."""
    subject = TextToRewrite(text=text, draw=Draw(1, text), avoid=avoid, is_of_pair=is_of_pair)
    assert DISTRACTION.write_pieces is not None
    (pieces,) = DISTRACTION.write_pieces([subject], Resources())
    return [_replacement(text, pieces.extend(None, [number])) for number in range(pieces.n)]


def _replacement(text: str, rewrite: Rewrite) -> str:
    (edit,) = rewrite.edits
    assert edit.start == edit.end == len(text)
    assert edit.original == ""
    return edit.replacement


def bank() -> list[str]:
    """Return every fixed phrase and every filler of the pool."""
    return list(phrases_of(whole_pool()))


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


def test_the_grammar_makes_a_hundred_thousand_different_sentences() -> None:
    """Every slot has fillers, every filler is used, and articles fit what follows them."""
    pool = whole_pool()
    templates = [*pool.boilerplate, *pool.quotations, *(each for topic in pool.topics for each in topic)]
    used = {name for template in templates for name in SLOT.findall(template)} - {"statement"}
    assert used == set(pool.fillers)
    n = 0
    for template in templates:
        n_here = 1
        for name in SLOT.findall(template):
            n_here *= len(pool.fillers.get(name, [""]))
        n += n_here
    assert n > 100_000
    assert len({core for phrase in bank() for core in cores_of(phrase)}) > 1_000


@pytest.mark.parametrize(
    ("raw", "expected"),
    [("a oboe and a harp", "an oboe and a harp"), ("a unicorn", "a unicorn"), ("papa eats", "papa eats")],
)
def test_articles_fit_what_follows_them(raw: str, expected: str) -> None:
    """By sound, as far as the pool needs it."""
    assert with_articles(raw) == expected


def test_statements_deny_nothing_that_a_text_says() -> None:
    """StressTest's negated statements pass the filter of negations; a negated claim would not."""
    negated = [statement for statement in whole_pool().statements if negations_of(statement)]
    assert len(negated) > 5
    for statement in [*negated, "and false is not true"]:
        record = case_of("a film , and not a dull one", f" {statement} .")
        assert check_negation(FilterContext(dimension=DISTRACTION, thresholds={}), [record]) == [None]


def case_of(text: str, addition: str) -> Record:
    """Return a case that appends something to a text."""
    return Record(
        id="x",
        sample_id="x",
        text=text + addition,
        original_text=text,
        label=1,
        task="t",
        dimension="distraction",
        degree=0.1,
        realised_degree=0.1,
        field="text",
        edits=(("text", Edit(len(text), len(text), "", addition)),),
    )


QUESTION = "How do I learn to swim?"


def test_a_text_of_a_pair_gets_nothing_that_claims_or_asks_anything() -> None:
    """Only links, handles, signs, and clauses that are true of anything by their form."""
    pool = whole_pool()
    clauses = {*pool.empty_tautologies, *pool.tautologies, *pool.statements}
    texts = [appended(QUESTION, seed, is_of_pair=True)[-1] for seed in range(5)]
    for text in [*texts, *to_choose(QUESTION, is_of_pair=True)]:
        rest = re.sub(r"@\w+|https://example\.(com|net|org)/\w+", "", text)
        rest = re.sub("|".join(map(re.escape, pool.emoji)), "", rest)
        for clause in filter(None, (part.strip().lower() for part in rest.split("."))):
            assert clause in clauses


def test_an_attack_has_many_different_pieces_of_every_kind_to_choose_from() -> None:
    """The same ones for the same sample, whoever is attacked."""
    pieces = to_choose(REVIEW)
    assert len(set(pieces)) == len(pieces) > 0.8 * sum(CHOICE.values())
    assert pieces == to_choose(REVIEW)
    assert any(piece.startswith(" #") for piece in pieces)
    assert any('"' in piece for piece in pieces)
    assert any("page" in piece for piece in pieces)
    assert any("https://" in piece for piece in pieces)


def test_pieces_are_added_to_what_was_added_before() -> None:
    """One after the other, each in the style of the text, and the kinds of all are named."""
    subject = TextToRewrite(text=REVIEW, draw=Draw(1), avoid=frozenset())
    assert DISTRACTION.write_pieces is not None
    (pieces,) = DISTRACTION.write_pieces([subject], Resources())
    one = pieces.extend(None, [0])
    both = pieces.extend(one, [pieces.n - 1])
    assert _replacement(REVIEW, both).startswith(_replacement(REVIEW, one))
    assert _replacement(REVIEW, both) == _replacement(REVIEW, pieces.extend(None, [0, pieces.n - 1]))
    assert set(one.method.split("+")) < set(both.method.split("+"))


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
        {core for phrase in bank() for core in cores_of(phrase)} - {"the", "is", "and", "are", "a", "an"}
    )
    avoid = frozenset(words[::2])
    for text in [*appended(REVIEW, avoid=avoid), *to_choose(REVIEW, avoid=avoid)]:
        assert avoid.isdisjoint(cores_of(text)), text


def test_where_every_word_speaks_for_a_class_only_handles_and_signs_are_left() -> None:
    """Better a handle than a word that could be read as a label."""
    words = {core for phrase in [*bank(), *whole_pool().statements] for core in cores_of(phrase)}
    signs = "|".join(map(re.escape, whole_pool().emoji))
    for text in appended(REVIEW, avoid=frozenset(words | {"https"})):
        assert re.fullmatch(rf"( (@[a-z0-9]+|{signs}))+", text)


def test_the_first_rewrites_mean_almost_nothing() -> None:
    """Handles, links and empty clauses first; then clauses and sentences, one more in every rewrite."""
    texts = appended(REVIEW)
    for weak in texts[:N_SLIGHT]:
        rest = re.sub(r"@\w+|https://example\.(com|net|org)/\w+", "", weak)
        assert set(cores_of(rest)) <= {
            core for text in whole_pool().empty_tautologies for core in cores_of(text)
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
        ("a warm film , and funny .", r" [^A-Z]*"),
        ("a warm film , and funny", r" ((and |\. |@|#|https|[^\w\s])[^A-Z]*)"),
        ("A warm film, and funny.", r" ([A-Z@#]|https|[^\w\s]).*"),
        ("A warm film", r"(\. [\"A-Z0-9]| and | @| #| https| [^\w\s]).*"),
        ("a warm film.", r" [^A-Z]*"),
        ("see https://example.org/film", r" .*"),
        ("A warm film. ", r"([A-Z@#]|https|[^\w\s]).*"),
        ("A warm film that ", r"(\. [\"A-Z0-9]|and |@|#|https|[^\w\s]).*"),
        ("A warm film\n", r"([A-Z@#]|https|and|[^\w\s]).*"),
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
    proper = {*whole_pool().fillers["day"], *whole_pool().fillers["month"]}
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
