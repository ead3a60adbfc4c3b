"""Operations on several words in a row: they count as many words as they touch, and never overlap."""

from builder.operations.dimension import Dimension
from builder.operations.operation import Operations, operation
from builder.searches.machinery.edit_states import EditState
from builder.searches.machinery.editable_texts import EditableText, most_words
from builder.searches.machinery.random_edits import draw_operations
from builder.values.randomness import Draw
from builder.values.samples import Sample
from contract.schema.edits import Edit, words_of

TEXT = "he left because of the rain , in order to sleep"
EXPRESSIONS = {"because of": "due to", "in order to": "to", "left": "departed", "of": "off"}
DIMENSION = Dimension(
    name="expressions",
    summary="expressions for expressions",
    stands_for="a test",
    level="word",
    tag="general",
    measure="words",
    degrees=(0.1,),
    propose=lambda _texts, _resources: [],
)


def editable(text: str = TEXT) -> EditableText:
    """Return a text with an operation for each of the expressions in it."""
    words = words_of(text)
    operations = [Operations((), ()) for _ in words]
    for old, new in EXPRESSIONS.items():
        start = text.index(f" {old} ") + 1
        number = next(number for number, word in enumerate(words) if word.start == start)
        item = operation("test", Edit(0, len(old), old, new), n_words=len(old.split()))
        operations[number] = Operations([item], [1.0])
    return EditableText(
        dimension=DIMENSION,
        sample=Sample(id="one", text=text, text_pair=None, label=0),
        original=text,
        words=words,
        operations=operations,
        degrees=(0.1,),
    )


def test_a_budget_is_met_exactly_and_no_word_is_changed_twice() -> None:
    """Whatever is drawn, it touches as many words as were asked for; the last words of all are not asked."""
    text = editable()
    assert most_words(text.operations) == text.available_units == 6
    for amount in range(1, 7):
        for number in range(20):
            placed = draw_operations(text, amount, Draw(number), is_tight=amount > 4)
            if placed is not None:
                assert text.measure.amount(text.change(placed)) == amount
    assert draw_operations(text, 6, Draw(1), is_tight=True) is not None
    assert draw_operations(text, 7, Draw(1)) is None


def test_a_state_takes_an_expression_and_gives_it_back() -> None:
    """While it is there, the words inside it have no room for operations of their own."""
    text = editable()
    state = EditState(text)
    (change,) = state.possible_changes(2, text.operations[2], 2, Draw(1))
    assert list(state.texts_with([change])) == ["he left due to the rain , in order to sleep"]
    assert state.possible_changes(2, text.operations[2], 1, Draw(1)) == []
    state.take(change)
    assert state.amount == 2
    assert state.whole_text() == "he left due to the rain , in order to sleep"
    assert state.possible_changes(3, text.operations[3], 2, Draw(1)) == []
    assert [*state.texts_with(state.undone())] == [TEXT]
    assert EditState.of(text, text.placed(state.chosen.items())).whole_text() == state.whole_text()
    state.undo(2)
    assert state.whole_text() == TEXT
    assert state.amount == 0
    assert state.possible_changes(3, text.operations[3], 2, Draw(1)) != []
