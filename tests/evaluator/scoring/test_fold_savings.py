"""What folds would have saved."""

from evaluator.scoring.fold_savings import LostCase, fold_savings


def lost(case: str) -> LostCase:
    """Return a case of "a film" that a model has lost."""
    return LostCase(original="a film", case=case)


def test_of_no_lost_case_none_is_saved() -> None:
    """Every step is named all the same."""
    found = fold_savings([])
    assert found.n_lost == 0
    assert set(found.n_saved.values()) == {0}


def test_each_step_saves_what_it_restores_alone_and_all_together_more() -> None:
    """Leetspeak in fullwidth letters takes two steps; another word cannot be restored."""
    found = fold_savings([lost("a f1lm"), lost("a f\u200bilm"), lost("a ｆ1ｌｍ"), lost("a movie")])
    assert found.n_lost == 4
    assert found.n_saved["unleeting"] == 1
    assert found.n_saved["unseen"] == 1
    assert found.n_saved["plain-letters"] == 0
    assert found.n_saved["all"] == 3
    assert list(found.n_saved)[-1] == "all"
