"""Treebanks are read with their trees, spaces and documents."""

from pathlib import Path

import pytest

from builder.making.treebank import in_small_letters, read_trees
from contract.machine.errors import UserError

CONLLU = """# newdoc id = d
# text = He can't win (yet).
1\tHe\the\tPRON\tPRP\tNumber=Sing\t4\tnsubj\t_\t_
2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
2\tca\tcan\tAUX\tMD\tVerbForm=Fin\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\twin\twin\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\t_
4.1\tnothing\t_\t_\t_\t_\t_\t_\t_\t_
5\t(\t(\tPUNCT\t-LRB-\t_\t6\tpunct\t_\tSpaceAfter=No
6\tyet\tyet\tADV\tRB\t_\t4\tadvmod\t_\tSpaceAfter=No
7\t)\t)\tPUNCT\t-RRB-\t_\t6\tpunct\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a treebank of one sentence."""
    (tmp_path / "xx-ud-train.conllu").write_text(CONLLU, encoding="utf-8")
    return tmp_path


def test_a_tree_has_its_text_heads_and_relations(folder: Path) -> None:
    """Words written as one stay words; what is not written is left out."""
    (tree,) = read_trees(folder, "train")
    text = "".join(node.text + " " * node.is_spaced for node in tree.nodes)
    assert text == "He can't win (yet). "
    assert tree.text == "He can't win (yet)."
    assert [node.head for node in tree.nodes] == [3, 3, 3, 3, 5, 3, 5, 3]
    assert tree.nodes[3].relation == "ROOT"
    assert tree.is_new_document


def test_a_tree_is_also_read_as_benchmarks_print_it(folder: Path) -> None:
    """Small letters, spaces around every piece, brackets by name; heads stay."""
    (tree,) = read_trees(folder, "train")
    small = in_small_letters(tree)
    assert " ".join(node.text for node in small.nodes) == "he ca n't win -lrb- yet -rrb- ."
    assert [node.head for node in small.nodes] == [node.head for node in tree.nodes]


def test_a_missing_part_is_named(folder: Path) -> None:
    """The error says what was looked for."""
    with pytest.raises(UserError, match=r"expected one file \*-ud-dev.conllu, found 0"):
        read_trees(folder, "dev")
