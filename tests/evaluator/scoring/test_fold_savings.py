"""What folds would have saved."""

from evaluator.scoring.fold_savings import FoldSaving, JudgedCase, fold_savings


def judged(case: str, *, is_clean_right: bool = True, is_right: bool = False) -> JudgedCase:
    """Return a case of "a film" that a model is wrong about."""
    return JudgedCase(original="a film", case=case, is_clean_right=is_clean_right, is_right=is_right)


def test_only_cases_that_were_lost_can_be_saved() -> None:
    """Neither those that are right, nor those whose original is wrong."""
    cases = [judged("a f1lm", is_right=True), judged("a f1lm", is_clean_right=False)]
    assert {saving.n_lost for saving in fold_savings(cases)} == {0}


def test_each_step_saves_what_it_restores_alone_and_all_together_more() -> None:
    """Leetspeak in fullwidth letters takes two steps; another word cannot be restored."""
    cases = [judged("a f1lm"), judged("a f\u200bilm"), judged("a ｆ1ｌｍ"), judged("a movie")]
    found = {saving.name: saving for saving in fold_savings(cases)}
    assert found["unleeting"] == FoldSaving(name="unleeting", n_lost=4, n_saved=1)
    assert found["unseen"].n_saved == 1
    assert found["plain-letters"].n_saved == 0
    assert found["all"].n_saved == 3
    assert list(found)[-1] == "all"
