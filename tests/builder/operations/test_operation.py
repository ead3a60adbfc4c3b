"""Operations are drawn by weight, taken away by reason, and what is taken away is counted."""

from builder.operations.operation import Operations, operation
from contract.schema.edits import Edit


def operations_on_cat() -> Operations:
    """Return four replacements of one letter."""
    items = [operation("replace", Edit(0, 1, "c", letter)) for letter in "bfhm"]
    return Operations(items, [1.0, 2.0, 3.0, 4.0])


def test_what_is_taken_away_is_counted_by_its_reason() -> None:
    """And what was counted before stays counted."""
    first = operations_on_cat().without(lambda item: "b" if item.edits[0].replacement == "b" else None)
    both = first.without(lambda item: "other" if item.edits[0].replacement in "fh" else None)
    assert [item.edits[0].replacement for item in both.items] == ["m"]
    assert both.refused == {"b": 1, "other": 2}
    assert first.only(lambda _: False).refused == {"b": 1}


def test_where_no_reason_speaks_against_any_nothing_is_copied() -> None:
    """Nearly all words keep what they have."""
    operations = operations_on_cat()
    assert operations.without(lambda _: None) is operations
    assert operations.refused == {}
