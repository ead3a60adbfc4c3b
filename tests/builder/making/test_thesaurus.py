"""The thesaurus of general English: every line is well formed, and nothing known speaks against a pair."""

import gzip
from pathlib import Path

import pytest

from builder.language.words.thesaurus import THESAURUS_PATH
from builder.making.thesaurus.check import doubts_about
from builder.making.thesaurus.derive import entries, table
from builder.making.thesaurus.expressions import Expression, read_expressions
from builder.making.thesaurus.senses import Fault, Sense, Substitute, read_senses

SENSES = list(read_senses())


def lines_of(folder: Path, *lines: str) -> list[Sense | Fault]:
    """Write lines into a file and read them."""
    (folder / "01.txt").write_text("\n".join(lines), encoding="utf-8")
    return list(read_senses(folder))


def test_a_line_says_where_a_substitute_holds(tmp_path: Path) -> None:
    """Comments and empty lines are passed over."""
    (sense,) = lines_of(
        tmp_path, "# a comment", "", "n | area | =region, zone | part of a land | study, ~law"
    )
    assert sense == Sense(
        place="01.txt:3",
        part_of_speech="n",
        word="area",
        substitutes=(Substitute("region", is_mutual=True), Substitute("zone", is_mutual=False)),
        gloss="part of a land",
        not_near=("study", "~law"),
    )


@pytest.mark.parametrize(
    "line",
    [
        "n | area | region",
        "x | area | region | a part |",
        "n | Area | region | a part |",
        "n | area | a part of a land | a part |",
        "n | area | area | a part |",
        "n | area | region |  |",
        "n | area | region | a part | #",
    ],
)
def test_a_malformed_line_is_a_fault(tmp_path: Path, line: str) -> None:
    """With its place."""
    (fault,) = lines_of(tmp_path, line)
    assert isinstance(fault, Fault)
    assert fault.place == "01.txt:1"


def test_opposites_are_doubted(tmp_path: Path) -> None:
    """By WordNet, by a list, by a rating, by their valence; what is alike is not."""
    lines = [
        "a | big | small | of size |",
        "n | cat | dog | a pet |",
        "v | buy | purchase | get |",
        "a | nice | nasty | kind |",
    ]
    senses = [line for line in lines_of(tmp_path, *lines) if isinstance(line, Sense)]
    opposites, ratings = {frozenset({"cat", "dog"})}, {frozenset({"buy", "purchase"}): 9.0}
    found = [[doubt.why for doubt in doubts_about(sense, opposites, ratings)] for sense in senses]
    assert found[0] == ["opposites by WordNet or by a prefix"]
    assert found[1] == ["opposites by a list"]
    assert found[2] == []
    assert len(found[3]) == 1


def test_the_kept_lines_are_well_formed() -> None:
    """And none of them has a pair of opposites."""
    assert [line for line in SENSES if isinstance(line, Fault)] == []
    senses = [line for line in SENSES if isinstance(line, Sense)]
    assert [doubt for sense in senses for doubt in doubts_about(sense, set(), {})] == []


def test_the_frequent_words_are_there() -> None:
    """Each of twelve thousand words has a line, if only to say that nothing may stand for it."""
    words = {line.word for line in SENSES if isinstance(line, Sense)}
    assert len(words) >= 12_000
    assert {"begin", "big", "quickly", "lawyer", "oxygen"} <= words


def expressions_of(folder: Path, *lines: str) -> list[Expression | Fault]:
    """Write lines into a file and read them."""
    (folder / "01.txt").write_text("\n".join(lines), encoding="utf-8")
    return list(read_expressions(folder))


def test_an_expression_says_what_stands_beside_it(tmp_path: Path) -> None:
    """One form alone, words, tags, marks, and none of these."""
    (expression,) = expressions_of(tmp_path, "v.VBD | tell | ^, NN | !to, reporters | truth | =inform")
    assert expression == Expression(
        place="01.txt:1",
        part_of_speech="v",
        tag="VBD",
        text="tell",
        before=("^", "NN"),
        after=("!to", "reporters"),
        not_near=("truth",),
        substitutes=(Substitute("inform", is_mutual=True),),
    )


@pytest.mark.parametrize(
    "line",
    [
        "f | about | | CD | roughly",
        "x | about | | CD | | roughly",
        "f | About | | CD | | roughly",
        "f | about | | CD | | about",
        "f | about | | CD | |",
        "f | about | | Cd | | roughly",
        "f | about | | CD | # | roughly",
    ],
)
def test_a_malformed_expression_is_a_fault(tmp_path: Path, line: str) -> None:
    """With its place."""
    (fault,) = expressions_of(tmp_path, line)
    assert isinstance(fault, Fault)
    assert fault.place == "01.txt:1"


def test_the_kept_expressions_are_well_formed() -> None:
    """None of them is a fault."""
    assert [line for line in read_expressions() if isinstance(line, Fault)] == []


def test_what_holds_both_ways_is_derived_both_ways(tmp_path: Path) -> None:
    """Unless the other word's own line says that nothing is safe; a gloss may say what must follow."""
    lines = [
        "n | area | =region, =zone | part of a land | study",
        "n | zone | - | |",
        'v | try | attempt | make an effort (keeps "to") |',
    ]
    senses = [line for line in lines_of(tmp_path, *lines) if isinstance(line, Sense)]
    assert [line.written() for line in entries(senses, [])] == [
        "n\t\tarea\t\t\tstudy\t=region,=zone",
        "n\t\tregion\t\t\tstudy\t=area",
        "v\t\ttry\t\tto\t\tattempt",
    ]


def test_a_word_listed_anywhere_heeds_what_tells_its_other_senses(tmp_path: Path) -> None:
    """And what a sense lists already is not listed twice."""
    senses = [
        line for line in lines_of(tmp_path, "n | area | region | a land | study") if isinstance(line, Sense)
    ]
    (tmp_path / "01.txt").unlink()
    expressions = [
        line
        for line in expressions_of(tmp_path, "n | area | | | | region, district", "n | area | the | | | zone")
        if isinstance(line, Expression)
    ]
    assert [line.written() for line in entries(senses, expressions)] == [
        "n\t\tarea\t\t\tstudy\tdistrict",
        "n\t\tarea\tthe\t\t\tzone",
        "n\t\tarea\t\t\tstudy\tregion",
    ]


def test_the_shipped_table_is_what_the_lines_make() -> None:
    """Whoever changes a line derives the table again."""
    assert table() == gzip.decompress(THESAURUS_PATH.read_bytes()).decode()
