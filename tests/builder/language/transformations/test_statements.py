"""Transformations of statements find what they are for, and leave alone what would change."""

import pytest

from tests.builder.language.transformations.rewriting import rewrites

EXAMPLES = [
    ("action-cleft", "The company sold the factory.", "What the company did was sell the factory."),
    ("action-cleft", "They write books about birds.", "What they do is write books about birds."),
    ("adverbial-cleft", "The minister resigned on Tuesday.", "It was on Tuesday that the minister resigned."),
    (
        "adverbial-cleft",
        "The company bought the factory last year.",
        "It was last year that the company bought the factory.",
    ),
    ("object-cleft", "The company sold the factory.", "It was the factory that the company sold."),
    (
        "phrase-fronting",
        "The company bought the factory last year.",
        "Last year, the company bought the factory.",
    ),
    (
        "purpose",
        "The club sold two players to pay the bills.",
        "To pay the bills, the club sold two players.",
    ),
    (
        "purpose",
        "The club sold two players to pay the bills.",
        "The club sold two players in order to pay the bills.",
    ),
    (
        "source",
        "According to the police, the man was injured.",
        "The man was injured, according to the police.",
    ),
    (
        "source",
        "The man was injured, according to the police.",
        "According to the police, the man was injured.",
    ),
    ("opinion", "I think that the film is too long.", "The film is too long, I think."),
    ("adverb-place", "The company recently moved to Texas.", "Recently, the company moved to Texas."),
    ("adverb-place", "Recently, the company moved to Texas.", "The company recently moved to Texas."),
    ("request", "Please read the rules.", "Read the rules, please."),
    (
        "apposition-expansion",
        "Ann Lee, the director of the school, said no.",
        "Ann Lee, who is the director of the school, said no.",
    ),
    (
        "apposition-reduction",
        "Ann Lee, who is the director of the school, said no.",
        "Ann Lee, the director of the school, said no.",
    ),
    ("dative", "She gave the boy a book.", "She gave a book to the boy."),
    ("dative", "She gave a book to the boy.", "She gave the boy a book."),
    ("particle", "He picked up the phone.", "He picked the phone up."),
    ("particle", "He picked the phone up.", "He picked up the phone."),
    (
        "condition",
        "If he had known the truth, he would have left.",
        "Had he known the truth, he would have left.",
    ),
    (
        "reason",
        "The game was stopped because it rained.",
        "The game was stopped. This was because it rained.",
    ),
    ("concession", "Although the plot is thin, the film is fun.", "The plot is thin, but the film is fun."),
    ("concession", "The plot is thin, but the film is fun.", "Although the plot is thin, the film is fun."),
    ("extraposition", "It is hard to find a good doctor.", "Finding a good doctor is hard."),
    ("extraposition", "Is it safe to eat raw eggs?", "Is eating raw eggs safe?"),
    ("there-relative", "There are many people who live alone.", "Many people live alone."),
    ("day-preposition", "The minister resigned Tuesday.", "The minister resigned on Tuesday."),
    (
        "day-fronting",
        "The minister said Tuesday that he would resign.",
        "On Tuesday, the minister said that he would resign.",
    ),
    (
        "participle",
        "Hoping to win, the team bought two players.",
        "The team bought two players, hoping to win.",
    ),
    ("title", "French President Ann Lee said no.", "Ann Lee, the French president, said no."),
    ("speech-order", "Two men were injured, the police said.", "Two men were injured, said the police."),
    ("place", "The army built a bridge in Egypt.", "In Egypt, the army built a bridge."),
    ("date", "The war ended in 1945.", "The war ended in the year 1945."),
    ("date", "He was born on May 4.", "He was born on the 4th of May."),
    ("modal", "The company will sell the factory.", "The company is going to sell the factory."),
    ("modal", "Students must pay a fee.", "Students have to pay a fee."),
    ("list-order", "It has wit, charm and energy.", "It has charm, wit and energy."),
    ("participle-clause", "The fort, built in 1850, is old.", "The fort, which was built in 1850, is old."),
    ("identity", "Paris is the capital of France.", "The capital of France is Paris."),
    ("connector", "The film, however, is far too long.", "However, the film is far too long."),
    ("connector", "However, the film is far too long.", "The film, however, is far too long."),
    ("action-cleft", "But the company sold the factory.", "But what the company did was sell the factory."),
    ("pair-order", "He has new and old books.", "He has old and new books."),
    (
        "passive",
        "The town was quiet until the soldiers attacked the bridge.",
        "The town was quiet until the bridge was attacked by the soldiers.",
    ),
    ("coordination", "He visited France and Spain.", "He visited Spain and France."),
    ("genitive", "He is the president of France.", "He is France's president."),
    ("genitive", "He studied Spain's economy.", "He studied the economy of Spain."),
]

LEFT_ALONE = [
    ("action-cleft", "The film has a heart."),
    ("action-cleft", "The company did not sell the factory."),
    ("action-cleft", "The company sold the factory and moved."),
    ("adverbial-cleft", "The minister did not resign on Tuesday."),
    ("adverbial-cleft", "The minister will resign on Tuesday."),
    ("object-cleft", "The company sold a factory."),
    ("object-cleft", "Nobody saw the factory."),
    ("purpose", "He wants to save money."),
    ("purpose", "Prices rose to close at a record."),
    ("source", "The work went according to plan."),
    ("opinion", "I don't think that the film is too long."),
    ("opinion", "He thinks that the film is too long."),
    ("adverb-place", "The company has not recently moved."),
    ("adverb-place", "The company moved recently."),
    ("request", "He says please."),
    ("apposition-expansion", "The cities, Rome and Paris, are old."),
    ("apposition-reduction", "Anyone who is a director may vote."),
    ("dative", "She explained the rule to the boy."),
    ("dative", "She moved to the town."),
    ("particle", "He picked it up."),
    ("particle", "He walked up the hill."),
    ("condition", "If he has known the truth, he will leave."),
    ("condition", "If they were there, they saw it."),
    ("reason", "The game was not stopped because it rained."),
    ("concession", "Although thin, the film is fun."),
    ("concession", "It is not thin, but it is fun."),
    ("extraposition", "It is likely to rain soon."),
    ("there-relative", "There is a house on the hill."),
    ("day-preposition", "The minister resigned Tuesday night."),
    ("day-preposition", "Friday is a good day."),
    ("day-fronting", "The man who came Tuesday left."),
    ("participle", "Raising the price, the company lost money."),
    ("title", "The president said no."),
    ("speech-order", "He left, he said."),
    ("place", "The family lives in Paris."),
    ("pair-order", "It is a black and white film."),
    ("date", "He ran in 1990 races."),
    ("date", "It lasted from 1990 to 1995."),
    ("modal", "The company will not sell the factory."),
    ("modal", "It must be a mistake."),
    ("list-order", "It has wit, charm and energy drinks."),
    ("participle-clause", "The man, loved by all, is old."),
    ("identity", "Paris is a city in France."),
    ("identity", "Paris is not the capital of Spain."),
    ("connector", "However long the film is, it works."),
    ("passive", "The soldiers attacked the bridge, killing two men."),
    ("join", "The script is weak. But the actors are good."),
    ("framing", "But the film is far too long."),
    ("attribution-last", "NEW YORK The judge said that profits fell."),
    # The parser takes "cut" for a noun.
    ("passive", "The company cut jobs to save money."),
    ("coordination", "He flew to Trinidad and Tobago."),
]


@pytest.mark.parametrize(("name", "text", "expected"), EXAMPLES)
def test_a_statement_is_made_in_another_form(name: str, text: str, expected: str) -> None:
    """By hand."""
    assert expected in rewrites(name, text)


@pytest.mark.parametrize(("name", "text"), LEFT_ALONE)
def test_a_statement_is_left_alone(name: str, text: str) -> None:
    """Where the meaning would change, the result be no English, or the form is another."""
    assert rewrites(name, text) == []
