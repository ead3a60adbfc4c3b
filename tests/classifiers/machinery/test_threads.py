"""Parts of a batch are answered side by side, each without splitting a sum."""

from collections.abc import Iterator

import pytest
import torch

from classifiers.machinery.threads import answer_in_parts, least_rows, one_thread


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """Leave torch with as many threads as it had."""
    n_threads = torch.get_num_threads()
    yield
    torch.set_num_threads(n_threads)


def test_parts_are_answered_in_order_and_none_has_few_rows() -> None:
    """As many parts as threads, while each has the rows that it needs."""
    torch.set_num_threads(3)
    assert answer_in_parts(lambda part: (part.start, part.stop), 32, 4) == [(0, 10), (10, 21), (21, 32)]
    assert answer_in_parts(lambda part: (part.start, part.stop), 7, 3) == [(0, 3), (3, 7)]
    assert answer_in_parts(lambda part: (part.start, part.stop), 2, 3) == [(0, 2)]
    assert torch.get_num_threads() == 3


def test_no_sum_is_split_inside() -> None:
    """And the threads are there again outside."""
    torch.set_num_threads(2)
    with one_thread() as n_threads:
        assert (n_threads, torch.get_num_threads()) == (2, 1)
    assert torch.get_num_threads() == 2


def test_threads_come_back_after_an_error() -> None:
    """What a model raises reaches the caller."""
    torch.set_num_threads(2)
    with pytest.raises(ZeroDivisionError):
        answer_in_parts(lambda part: part.start // 0, 4, 1)
    assert torch.get_num_threads() == 2


@pytest.mark.parametrize(("length", "rows"), [(1, 16), (4, 4), (12, 2), (16, 1), (128, 1)])
def test_short_texts_need_company(length: int, rows: int) -> None:
    """Products with few rows are other routines on some processors."""
    assert least_rows(length) == rows
    assert least_rows(length, 2) == max(2, rows)
