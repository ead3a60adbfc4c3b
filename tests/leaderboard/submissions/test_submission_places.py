"""The folders of submissions: plain names, whatever a submitter calls the model."""

import re
from pathlib import Path

import pytest

from contract.schema.results import ModelInfo
from leaderboard.submissions.submissions import folder_of_model
from leaderboard.text.untrusted_text import folder_name

HOSTILE = [
    "../../x",
    "..",
    ".",
    "",
    "/etc/passwd",
    "a\x00b",
    "con",
    "NUL.txt",
    "a__b",
    "_a",
    "a_",
    "abc\u202egpj",
    "模型",
    "x" * 10_000,
    "<script>",
    "a b",
    "-rf",
    ".hidden",
    "name.",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_never_leaves_the_results_folder(name: str, tmp_path: Path) -> None:
    """Every part is one plain folder inside the results, whatever the model is called."""
    model = ModelInfo(name=name or "x", organisation=name, revision=name)
    parts = folder_of_model(model).split("/")
    assert len(parts) == 2
    assert all(re.fullmatch(r"[A-Za-z0-9]+([._-]{1,2}[A-Za-z0-9]+)*", part) for part in parts)
    assert all(len(part) <= 130 for part in parts)
    (tmp_path / folder_of_model(model)).mkdir(parents=True)


def test_names_that_look_alike_have_folders_of_their_own() -> None:
    """Plain names stay as they are; two names joined are never those of another pair."""
    assert (
        folder_of_model(ModelInfo(name="BERT-base", organisation="me", revision="v1.0"))
        == "me__BERT-base/v1.0"
    )
    assert folder_of_model(ModelInfo(name="x")) == "anonymous__x/unversioned"
    names = ["a b", "a-b", "a.b", "a/b", "a_b", "a__b", "A-b"]
    assert len({folder_name(name) for name in names}) == len(names)
    pairs = [("a", "b__c"), ("a__b", "c"), ("a_", "b"), ("a", "_b")]
    places = {folder_of_model(ModelInfo(organisation=one, name=other)) for one, other in pairs}
    assert len(places) == len(pairs)
