"""Transformations of questions find what they are for, and leave alone what would change."""

import pytest

from tests.builder.language.transformations.rewriting import rewrites

EXAMPLES = [
    ("question-cleft", "What did the company buy in 1990?", "What was it that the company bought in 1990?"),
    ("question-cleft", "Who wrote the book?", "Who was it that wrote the book?"),
    ("question-cleft", "Why do people hate dogs?", "Why is it that people hate dogs?"),
    ("question-cleft", "what should I eat before a race ?", "what is it that I should eat before a race ?"),
    ("question-reason", "Why do people hate dogs?", "What is the reason that people hate dogs?"),
    ("question-cleft", "What plant is grown in the valley?", "What plant is it that is grown in the valley?"),
    ("question-reason", "Why was the bridge closed?", "What was the reason that the bridge was closed?"),
    ("question-phrase", "How does a battery work?", "In what way does a battery work?"),
    ("question-phrase", "Why do people dream?", "For what reason do people dream?"),
    ("question-passive", "What did the company buy in 1990?", "What was bought by the company in 1990?"),
    ("question-passive", "Who wrote the book?", "By whom was the book written?"),
    ("question-passive", "Which company built the bridges?", "By which company were the bridges built?"),
    ("question-active", "What was built by the company?", "What did the company build?"),
    ("question-fronting", "What did the company buy in 1990?", "In 1990, what did the company buy?"),
    (
        "question-fronting",
        "What should I do if my phone is stolen?",
        "If my phone is stolen, what should I do?",
    ),
    ("question-preposition", "In what city did he live?", "What city did he live in?"),
    ("question-preposition", "Who did he work for?", "For whom did he work?"),
    (
        "question-superlative",
        "What is the best way to learn Python?",
        "Which way to learn Python is the best?",
    ),
    (
        "question-superlative",
        "What are the most useful books about birds?",
        "Which books about birds are the most useful?",
    ),
    (
        "question-nominal",
        "What is the difference between a crow and a raven?",
        "How do a crow and a raven differ?",
    ),
    ("question-nominal", "What does the word mean?", "What is the meaning of the word?"),
    ("question-nominal", "How much does a new roof cost?", "What is the cost of a new roof?"),
    (
        "question-nominal",
        "How many people live in Berlin?",
        "What is the number of people that live in Berlin?",
    ),
    ("question-possibility", "Can a cat eat rice?", "Is it possible for a cat to eat rice?"),
    ("question-possibility", "Can I pay by card?", "Is it possible for me to pay by card?"),
    ("question-nominal", "What is the name of the ship?", "What is the ship called?"),
    (
        "question-nominal",
        "What is the highest point of the area called?",
        "What is the name of the highest point of the area?",
    ),
    ("question-phrase", "When was the castle built?", "At what point in time was the castle built?"),
    ("question-order", "When was the castle built?", "The castle was built when?"),
    ("question-order", "What did the company buy in 1990?", "The company bought what in 1990?"),
    ("question-existence", "What are some good films about birds?", "What good films are there about birds?"),
    ("question-existence", "Is there a way to stop it?", "Does a way to stop it exist?"),
    (
        "question-existence",
        "How many countries are there in Africa?",
        "What is the number of countries in Africa?",
    ),
    (
        "question-manner",
        "How do I become a better swimmer?",
        "What is the way for me to become a better swimmer?",
    ),
    ("question-statement", "Does the school teach music?", "The school teaches music?"),
    ("question-order", "Who was the first king of Spain?", "The first king of Spain was who?"),
]

LEFT_ALONE = [
    ("question-cleft", "How do I learn to swim?"),
    ("question-cleft", "What is a neutron star?"),
    ("question-cleft", "Which companies built the bridge?"),
    ("question-cleft", "The company bought what it needed."),
    ("question-reason", "How do people dream?"),
    ("question-reason", "Why, in fact, do people dream?"),
    ("question-phrase", "How many people live here?"),
    ("question-phrase", "Where does the word come from?"),
    ("question-phrase", "How are you?"),
    ("question-passive", "What did you buy?"),
    ("question-passive", "Who has a car?"),
    ("question-active", "What was built by 1990?"),
    ("question-fronting", "Where do you live?"),
    ("question-fronting", "What should she do if he leaves her?"),
    ("question-preposition", "What is it like?"),
    ("question-preposition", "In what year did the war end in Europe?"),
    ("question-superlative", "What is the most you paid?"),
    ("question-superlative", "What is the capital of France?"),
    ("question-nominal", "What is the difference?"),
    ("question-nominal", "What does he mean?"),
    ("question-nominal", "How many people did they see?"),
    ("question-possibility", "Can you help me?"),
    ("question-possibility", "How can I pay by card?"),
    ("question-order", "What is love?"),
    ("question-order", "What is the best way to the station?"),
    ("question-order", "What should I buy?"),
    ("question-fronting", "How do I check if a number is wrong?"),
    ("question-cleft", "In what way does a battery work?"),
    ("relative-reduction", "What are some films that were made in Spain?"),
    ("question-existence", "What are some of them?"),
    ("question-existence", "Is there milk and bread?"),
    ("question-manner", "How do I know?"),
    ("question-manner", "How does a battery work?"),
    ("question-statement", "Do you need a password?"),
    ("question-statement", "Does the program need any password?"),
]


@pytest.mark.parametrize(("name", "text", "expected"), EXAMPLES)
def test_a_question_is_asked_in_another_form(name: str, text: str, expected: str) -> None:
    """By hand."""
    assert expected in rewrites(name, text)


@pytest.mark.parametrize(("name", "text"), LEFT_ALONE)
def test_a_question_is_left_alone(name: str, text: str) -> None:
    """Where the meaning would change, the result be no English, or the form is another."""
    assert rewrites(name, text) == []
