"""Names are derived in one place and never collide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.machine.errors import UserError
from contract.schema.names import case_id, check_name, config_name, degree_digits, degree_key, split_path


@pytest.mark.parametrize(
    ("degree", "key", "digits"),
    [
        (0.05, "0.05", "05"),
        (0.1, "0.1", "10"),
        (0.6, "0.6", "60"),
        (0.025, "0.025", "025"),
        (1.0, "1", "100"),
    ],
)
def test_a_degree_is_written_as_results_and_files_write_it(degree: float, key: str, digits: str) -> None:
    """The two spellings of the design."""
    assert degree_key(degree) == key
    assert degree_digits(degree) == digits


@given(st.lists(st.integers(1, 1000).map(lambda n: n / 1000), min_size=2, max_size=2, unique=True))
def test_different_degrees_have_different_digits(degrees: list[float]) -> None:
    """No two degrees share a file or an id."""
    assert degree_digits(degrees[0]) != degree_digits(degrees[1])


def test_an_id_tells_where_its_case_comes_from() -> None:
    """Task, sample, dimension, setting, degree, case."""
    assert case_id("mr-00042", "typo-general", "rule", 0.05, 3) == "mr-00042.typo-general.rule.05.3"
    assert split_path("mr", "typo-general", "rule", 0.05) == "data/mr/typo-general/rule/degree_05.parquet"
    assert split_path("advglue", "human", "rule", None) == "data/advglue/human/rule/test.parquet"
    assert config_name("mr", "clean", None) == "mr__clean"


@pytest.mark.parametrize("name", ["", "A", "a_b", "a--b", "-a", "../x", "a/b", "a" * 61, "ä"])
def test_a_name_that_cannot_be_part_of_a_path_is_refused(name: str) -> None:
    """Only kebab-case passes."""
    with pytest.raises(UserError, match="is not a name"):
        check_name(name, "task")
