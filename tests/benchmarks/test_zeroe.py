"""Zéroe's figures, on cases by hand."""

import pytest

from benchmarks.zeroe import Figure, by_harm, correlation, figure_of, guessing_line
from contract.schema.records import Record


def case(text: str, vote: int | None) -> Record:
    """Return a case of a text with ten characters and the label 1, and one surrogate's vote on it."""
    return Record(
        id=f"t.{text}",
        sample_id="t",
        text=text,
        original_text="ten letter",
        label=1,
        task="t",
        dimension="truncate",
        setting="rule",
        degree=0.5,
        realised_degree=0.5,
        field="text",
        surrogate_predictions=(vote,),
    )


def figure(name: str, relative: float, distance: float) -> Figure:
    """Return a figure at p = 0.8."""
    return Figure(dimension=name, degree=0.8, relative=relative, distance=distance, n_cases=10)


def test_a_figure_is_relative_to_clean_accuracy_and_leaves_out_missing_votes() -> None:
    """Half right of 0.8 is 0.625; distances are 1 and 2 of 10 characters."""
    found = figure_of(
        "truncate", 0.5, [case("te letter", 1), case("te lette", 0), case("letter", None)], 0, 0.8
    )
    assert found.relative == pytest.approx(0.625)
    assert found.distance == pytest.approx(0.15)
    assert found.n_cases == 2


def test_attacks_are_ordered_by_harm() -> None:
    """The lowest s* first, of one degree."""
    figures = [figure("phonetic", 0.9, 0.1), figure("visual", 0.4, 0.6), figure("truncate", 0.7, 0.2)]
    assert [each.dimension for each in by_harm(figures, 0.8)] == ["visual", "truncate", "phonetic"]
    assert by_harm(figures, 0.2) == []


def test_loss_that_grows_with_distance_is_fully_correlated() -> None:
    """A line."""
    assert correlation(
        [figure("a", 0.9, 0.1), figure("b", 0.8, 0.2), figure("c", 0.6, 0.4)]
    ) == pytest.approx(1)


def test_the_guessing_line_is_the_most_frequent_label() -> None:
    """Two of three, over a clean accuracy of 0.8."""
    assert guessing_line([0, 1, 1], 0.8) == pytest.approx(2 / 3 / 0.8)
