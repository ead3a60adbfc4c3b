"""Every transformation finds what it is for, in written and in treebank-style text, and nothing in doubt."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.language.transformations import TRANSFORMATIONS
from tests.builder.language.transformations import test_questions, test_statements
from tests.builder.language.transformations.rewriting import rewrites

EXAMPLES = [
    ("framing", "the film is far too long .", "it is the case that the film is far too long ."),
    ("framing", "The film is far too long.", "As it happens, the film is far too long."),
    ("framing", "There are two good scenes.", "The fact is that there are two good scenes."),
    ("text-framing", "never quite comes together .", "all in all , never quite comes together ."),
    ("question-framing", "Who wrote the book?", "The question is: who wrote the book?"),
    (
        "completion",
        "a warm and funny film with two fine actors .",
        "this is a warm and funny film with two fine actors .",
    ),
    ("completion", "offers a fresh look at an old story .", "it offers a fresh look at an old story ."),
    ("completion", "beautifully shot in black and white .", "it's beautifully shot in black and white ."),
    ("ellipsis", "this is a warm film about two old men .", "a warm film about two old men ."),
    (
        "expansion",
        "it's a film that doesn't know what it wants .",
        "it's a film that does not know what it wants .",
    ),
    ("expansion", "it 's a dull film and you ca n't help it .", "it 's a dull film and you cannot help it ."),
    ("expansion", "They're late and I don't care.", "They are late and I don't care."),
    ("contraction", "it is not a great film .", "it isn't a great film ."),
    ("contraction", "They are funny.", "They're funny."),
    (
        "clause-fronting",
        "the film is fun, although it is too long.",
        "although it is too long, the film is fun.",
    ),
    ("clause-fronting", "When it rains, the show is cancelled.", "The show is cancelled when it rains."),
    ("phrase-fronting", "In 1990, the company moved to Texas.", "The company moved to Texas in 1990."),
    ("phrase-fronting", "The minister resigned on Tuesday.", "On Tuesday, the minister resigned."),
    ("adverb-fronting", "unfortunately , the story is thin .", "the story is thin , unfortunately ."),
    ("coordination", "an odd and funny film .", "a funny and odd film ."),
    ("coordination", "the film is smart, warm and funny.", "the film is funny, warm and smart."),
    ("adjective-order", "it is an odd , funny film .", "it is a funny , odd film ."),
    ("genitive", "the film's tired plot goes nowhere .", "the tired plot of the film goes nowhere ."),
    ("genitive", "The plot of the film is thin.", "The film's plot is thin."),
    ("relative-expansion", "it is a film made by amateurs .", "it is a film that is made by amateurs ."),
    (
        "relative-expansion",
        "a story dealing with loss and grief .",
        "a story that deals with loss and grief .",
    ),
    ("relative-reduction", "it is a story that is told with grace .", "it is a story told with grace ."),
    ("relative-pronoun", "It is a film that works.", "It is a film which works."),
    ("adjective-clause", "it is a funny film .", "it is a film that is funny ."),
    ("complementizer", "He says the film is dull.", "He says that the film is dull."),
    ("passive", "The company bought the factory.", "The factory was bought by the company."),
    ("active", "The factory was bought by the company.", "The company bought the factory."),
    ("cleft", "The cast saves the film.", "It is the cast that saves the film."),
    (
        "pseudo-cleft",
        "the film offers a fresh look at fame .",
        "what the film offers is a fresh look at fame .",
    ),
    ("there-insertion", "A man is walking in the park.", "There is a man walking in the park."),
    ("there-presentation", "strong performances .", "there are strong performances ."),
    ("there-removal", "There is a man walking in the park.", "A man is walking in the park."),
    ("split", "The script is weak, but the actors are good.", "The script is weak. But the actors are good."),
    ("join", "The script is weak. The actors are good.", "The script is weak; the actors are good."),
    ("attribution-last", "The company said that profits fell.", "Profits fell, the company said."),
    ("attribution-first", "Profits fell, the company said.", "The company said that profits fell."),
    ("indirect-question", "Who wrote the book?", "Can you tell me who wrote the book?"),
    ("indirect-question", "What did the company buy?", "Do you know what the company bought?"),
]

LEFT_ALONE = [
    ("framing", "Is the film any good?"),
    ("framing", "a film about nothing ."),
    ("completion", "the film is a warm comedy ."),
    ("completion", "beautifully observed , unsentimental drama ."),
    ("completion", "An international convention banned trade in ivory."),
    ("expansion", "isn't it a fine film ?"),
    ("expansion", "the film's plot is thin ."),
    ("contraction", "i know what it is ."),
    ("contraction", "it shows how horrible we are to ourselves ."),
    ("complementizer", "i felt myself drawn to the light ."),
    ("clause-fronting", "the games are fun , but the film is bad , if not awful ."),
    ("framing", "philip k . dick must be turning in his grave ."),
    ("join", "it was made by h . g . wells ."),
    ("clause-fronting", "It is not good because it is long."),
    ("coordination", "it was shot in black and white ."),
    ("coordination", "a very warm and funny film ."),
    ("genitive", "this year's best film ."),
    ("passive", "The film has a heart."),
    ("cleft", "Nobody likes the film."),
    ("there-insertion", "The man is walking in the park."),
    ("split", "He came and saw."),
]


@pytest.mark.parametrize(("name", "text", "expected"), EXAMPLES)
def test_what_a_transformation_is_for(name: str, text: str, expected: str) -> None:
    """By hand."""
    assert expected in rewrites(name, text)


@pytest.mark.parametrize(("name", "text"), LEFT_ALONE)
def test_what_a_transformation_leaves_alone(name: str, text: str) -> None:
    """Where the meaning would change or the result be no English."""
    assert rewrites(name, text) == []


def test_every_transformation_has_an_example() -> None:
    """Every registered transformation has an example."""
    examples = [*EXAMPLES, *test_questions.EXAMPLES, *test_statements.EXAMPLES]
    assert {name for name, *_ in examples} == set(TRANSFORMATIONS)


@settings(deadline=None, max_examples=30)
@given(
    st.text(max_size=40)
    | st.lists(
        st.sampled_from(["it", "is", "n't", "the", "film", "a", ",", ".", "and", "that", "said"]), max_size=12
    ).map(" ".join)
)
def test_any_text_is_rewritten_without_a_fault(text: str) -> None:
    """Whatever the parser makes of it."""
    for name in TRANSFORMATIONS:
        assert all(isinstance(each, str) for each in rewrites(name, text))
