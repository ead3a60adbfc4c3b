"""Real data sets, oddities included: every dimension makes cases of them that keep the format."""

from pathlib import Path

import pytest

from builder.dimensions import DIMENSIONS
from builder.recipe.recipe_file import read_recipe
from builder.run.pipeline import build
from builder.searches import SEARCHES
from contract.machine.progress import Silence
from contract.release.release import Release
from contract.release.verification import verify

DATA = Path(__file__).parents[4] / "shared" / "data"

# Of so few samples, some tasks have none in which the masked language model's word is good enough.
SELDOM = {"contextual"}

TASKS = {
    "sst2": """
    source: file:{data}/sst2/dev.tsv
    read: {{columns: {{text: sentence}}}}
    labels: [negative, positive]
""",
    "agnews": """
    source: file:{data}/agnews/test.csv
    read: {{header: false, columns: {{text: 2, label: 0}}}}
    labels: [World, Sports, Business, Sci/Tech]
    label_map: {{"1": World, "2": Sports, "3": Business, "4": Sci/Tech}}
""",
    "jigsaw": """
    source: file:{data}/jigsaw/comments.csv
    read: {{header: false, columns: {{text: 0, label: 1}}}}
    labels: [clean, toxic]
""",
    "qnli": """
    source: file:{data}/qnli/dev.tsv
    read: {{columns: {{text: question, text_pair: sentence}}}}
    labels: [entailment, not_entailment]
    perturb: text_pair
""",
    "rte": """
    source: file:{data}/rte/dev.tsv
    read: {{columns: {{text: sentence1, text_pair: sentence2}}}}
    labels: [entailment, not_entailment]
""",
}


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the development data are not at {DATA}")
@pytest.mark.parametrize("name", list(TASKS))
def test_every_dimension_makes_a_release_of_real_data(name: str, tmp_path: Path) -> None:
    """No crash, and nothing that verification finds."""
    names = [part.name for part in DIMENSIONS.values() if SEARCHES["rule"].can_make(part)]
    dimensions = "".join(f"  - {dimension}\n" for dimension in names)
    (tmp_path / "recipe.yaml").write_text(
        f'name: real\nversion: "1"\ntasks:\n  - name: {name}{TASKS[name].format(data=DATA)}    samples: 8\n'
        f"    train_rows: 500\ndimensions:\n{dimensions}cases: {{rule: 1}}\nsurrogates: [word-tfidf]\n",
        encoding="utf-8",
    )
    manifest = build(read_recipe(tmp_path / "recipe.yaml"), tmp_path / "release", Silence())
    assert verify(Release.open(tmp_path / "release"), Silence()) == []
    for dimension in names:
        rows = sum(split.rows for split in manifest.splits if split.dimension == dimension)
        assert rows > 0 or dimension in SELDOM, f"no case of {dimension}"
