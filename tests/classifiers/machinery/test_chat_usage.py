"""What an endpoint says was used is added up, and believed only where it is a count."""

import json
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer

from classifiers.machinery.chat.connections import Reply
from classifiers.machinery.chat.replies import Completion, Usage, completion_of
from classifiers.machinery.classifier import EndpointOptions
from evaluator.predicting.predicting import predict


def test_usage_is_added_up_over_all_answers(server: ChatServer, release_path: Path, tmp_path: Path) -> None:
    """Forty tokens in and two out for each of 54 texts."""
    endpoint = EndpointOptions(base_url=server.url)
    predicted = predict(release_path, "api:m", tmp_path / "p.jsonl", endpoint=endpoint)
    assert predicted.usage == Usage(54, 54 * 40, 54 * 2)


@pytest.mark.parametrize(
    "given",
    [
        None,
        3,
        [],
        {"prompt_tokens": -1, "completion_tokens": True},
        {"prompt_tokens": "12", "completion_tokens": 1.5},
        {"prompt_tokens": 10**30},
    ],
)
def test_a_count_that_is_none_counts_nothing(given: Any) -> None:
    """The answer is taken all the same."""
    body = {"choices": [{"message": {"content": "yes"}}], "usage": given}
    found = completion_of(Reply(status=200, headers={}, body=json.dumps(body).encode()))
    assert found == Completion(words="yes", usage=Usage(1, 0, 0))
