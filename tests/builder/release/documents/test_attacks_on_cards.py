"""What a card says of attacks by name: a glossary with made examples, labels, and filter rates by attack."""

import pytest
from click.testing import CliRunner

from builder.commands.build import build
from builder.language.scattering.scatter import insertions
from builder.methods import METHODS, advfever, scpn, stresstest
from builder.models.resources import PACKAGED
from builder.operations.dimension import WriteSeries
from builder.release.documents.glossary import EXAMPLES
from contract.commands.releases import info
from contract.release.filter_rates import filter_rates
from contract.release.release import Release
from tests.builder.methods.rewritten import series, to_rewrite

RECIPE = """\
name: named
version: "1.0"
tasks:
  - name: made
    source: file:{path}
    read: {{columns: {{text: premise, text_pair: claim, label: label}}}}
    perturb: text_pair
    samples: 6
    metrics: [accuracy, f1]
dimensions:
  - name: distraction
    degrees: [0.4]
methods: [stresstest, checklist]
settings: [score]
cases: {{score: 1}}
surrogates: [word-tfidf, char-tfidf]
allow_weak: true
max_queries: 20
min_samples: 1
"""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Return a small release of two named attacks on made pairs."""
    folder = tmp_path_factory.mktemp("named")
    places = ("harbour", "mill", "bridge", "chapel", "orchard", "quay")
    rows = [
        f"The {place} of town {number} was {'open' if number % 2 else 'closed'}.,"
        f"The {place} was {'open' if number % 2 else 'shut'} on day {number}.,{'ab'[number % 2]}"
        for number in range(20)
        for place in places
    ]
    (folder / "rows.csv").write_text("\n".join(["premise,claim,label", *rows]), encoding="utf-8")
    (folder / "recipe.yaml").write_text(RECIPE.format(path=folder / "rows.csv"), encoding="utf-8")
    done = CliRunner().invoke(build, [str(folder / "recipe.yaml"), "-o", str(folder / "release")])
    assert done.exit_code == 0, done.output
    return Release.open(folder / "release")


def test_filter_rates_stand_by_attack_and_add_up(release: Release) -> None:
    """Both methods of one dimension and setting have a row, and every row adds up to what went in."""
    rows = filter_rates(release.manifest)
    assert sorted(row.attack for row in rows) == ["checklist", "stresstest"]
    for row in rows:
        stages = (row.n_not_transferable, row.n_fidelity, row.n_consensus, row.n_utility, row.n_kept)
        assert sum(stages) == row.n_in > 0
        assert all(n >= 0 for n in stages)
        assert row.n_samples_kept <= row.n_carrying
    frozen = sum(split.rows for split in release.manifest.splits if split.is_adversarial)
    assert sum(row.n_not_transferable + row.n_kept for row in rows) == frozen
    for cell in release.manifest.funnel:
        assert sum(info.n_frozen for info in cell.methods.values()) == cell.n_frozen
        assert sum(info.n_transferable for info in cell.methods.values()) == cell.n_transferable


def test_info_by_attack_names_the_methods(release: Release) -> None:
    """As AdvGLUE's Table 12 does."""
    shown = CliRunner().invoke(info, [str(release.path), "--by", "attack"]).output
    assert "stresstest" in shown
    assert "checklist" in shown


def test_the_card_has_glossary_labels_and_rates(release: Release) -> None:
    """The tables 6, 8 and 12 of AdvGLUE's appendix, for this release."""
    card = (release.path / "README.md").read_text(encoding="utf-8")
    assert "## Attacks" in card
    assert "The harbour was quiet and true is true." in card
    assert "| made | a : b | accuracy and f1 |" in card
    assert "| made | stresstest | score |" in card


def test_the_card_counts_every_label(release: Release) -> None:
    """Of samples and cases."""
    card = (release.path / "README.md").read_text(encoding="utf-8")
    (line,) = [line for line in card.splitlines() if line.startswith("| made | a : b |")]
    samples, cases = ([int(n) for n in cell.split(" : ")] for cell in line.strip("| ").split(" | ")[3:])
    manifest = release.manifest
    assert sum(samples) == 6
    assert sum(cases) == sum(split.rows for split in manifest.splits if split.is_adversarial)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("scpn", scpn.write_series),
        ("advfever", advfever.write_series),
        ("stresstest", stresstest.write_series),
    ],
)
def test_a_made_example_is_what_the_method_writes(name: str, write: WriteSeries) -> None:
    """No example promises more than the code does."""
    before, after = EXAMPLES[name]
    assert after in series(write, to_rewrite(before))


def test_the_made_example_of_t3_has_tokens_of_its_nodes() -> None:
    """A filler before a phrase and one before the sentence."""
    before, after = EXAMPLES["t3"]
    written = {each.text for each in insertions(before, PACKAGED, frozenset())}
    assert {"Well, the", ", um,"} <= written
    assert after == before.replace("The", "Well, the").replace("quiet", "quiet, um,")


def test_every_method_has_a_made_example() -> None:
    """A reader of a card sees what each attack does."""
    assert set(METHODS) <= set(EXAMPLES)
