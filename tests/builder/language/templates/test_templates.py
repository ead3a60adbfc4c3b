"""A rewrite for a template has the form that the template names."""

import pytest

from builder.language.parser.parsing import parse
from builder.language.templates.forms import forms_of
from builder.language.templates.templates import TEMPLATES, realise
from builder.language.transformations import TRANSFORMATIONS
from builder.models.resources import PACKAGED
from builder.values.randomness import Draw

FORMS = {
    "The committee wrote the report.": "subject-first",
    "In the morning, the committee wrote the report.": "phrase-first",
    "Slowly the committee wrote the report.": "adverb-first",
    "When it rained, the committee wrote the report.": "clause-first",
    "The committee wrote the report, and the mayor read it.": "two-clauses",
    "It was the committee that wrote the report.": "cleft",
    "What the committee did was write the report.": "what-is",
    "There is a man walking in the park.": "there-is",
    "How can I learn to swim?": "question-word-first",
    "Is it possible to learn to swim?": "question-word-later",
}


@pytest.mark.parametrize("text", FORMS)
def test_the_form_of_a_sentence_is_what_it_begins_with_and_how_it_is_joined(text: str) -> None:
    """One sentence of each template."""
    (parsed,) = parse([text])
    assert forms_of(parsed) == [FORMS[text]]


def test_there_are_ten_templates_and_each_has_transformations_of_ours() -> None:
    """As many as AdvGLUE takes from SCPN."""
    assert len(TEMPLATES) == 10
    assert set(FORMS.values()) == set(TEMPLATES)
    for names in TEMPLATES.values():
        assert names
        assert set(names) <= set(TRANSFORMATIONS)


@pytest.mark.parametrize(
    ("text", "template", "expected"),
    [
        ("The committee wrote the report.", "cleft", "It was the committee that wrote the report."),
        ("The committee wrote the report.", "what-is", "What the committee did was write the report."),
        ("A man is walking in the park.", "there-is", "There is a man walking in the park."),
        (
            "We stayed at home because it rained.",
            "clause-first",
            "Because it rained, we stayed at home.",
        ),
    ],
)
def test_a_text_is_rewritten_into_the_form_of_a_template(text: str, template: str, expected: str) -> None:
    """By one of the transformations that lead to it."""
    found = realise(text, Draw("test"), PACKAGED)
    assert (expected, template) in {(each.text, each.template) for each in found}


def test_the_same_draw_gives_the_same_rewrites() -> None:
    """Nothing but the draw decides which are tried."""
    text = "In 1990, the committee wrote the long report because the mayor asked for it."
    assert realise(text, Draw("a"), PACKAGED) == realise(text, Draw("a"), PACKAGED)
