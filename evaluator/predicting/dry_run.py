"""What a prediction behind an endpoint would ask and cost, without asking anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from classifiers.kinds.api import API, most_tokens_out, prompt_for
from contract.machine.errors import ExitCode, UserError
from evaluator.predicting.predicting import PredictRequest, opened_log, prepare, resume_path

# English text has about four characters a token; look-alikes and accents are about a token each.
_CHARACTERS_A_TOKEN = 4
# What stands around a message.
_TOKENS_A_MESSAGE = 7
_MILLION = 1_000_000


@dataclass(frozen=True, kw_only=True)
class TaskPlan:
    """What would be asked about a task; tokens are estimates."""

    task: str
    # About the first text; empty where every text has been answered.
    prompt: str
    n_requests: int
    n_known: int
    n_tokens_in: int
    n_tokens_out: int
    # If every answer were as long as a request allows; None where it does not say.
    most_tokens_out: int | None


@dataclass(frozen=True, kw_only=True)
class Prices:
    """What a million tokens cost, in any currency; None where it is not known."""

    tokens_in: float | None = None
    tokens_out: float | None = None

    def cost(self, n_tokens_in: int, n_tokens_out: int) -> float | None:
        """Return what tokens cost, if both prices are known."""
        if self.tokens_in is None or self.tokens_out is None:
            return None
        return (n_tokens_in * self.tokens_in + n_tokens_out * self.tokens_out) / _MILLION


def plan_requests(request: PredictRequest, predictions_path: Path | None) -> Sequence[TaskPlan]:
    """Return what would be asked task by task; answers kept beside the predictions file are not."""
    prepared = prepare(request)
    if prepared.kind.name != API.name:
        raise UserError(
            f"--dry-run counts what an endpoint is paid for; {prepared.kind.name} costs nothing:"
            " leave it out",
            exit_code=ExitCode.WRONG_USE,
        )
    log = None
    if predictions_path is not None and resume_path(predictions_path).is_file():
        log = opened_log(prepared, predictions_path, is_resumed=True)
    plans = []
    for own, question in zip(prepared.requests, prepared.questions, strict=True):
        known = {} if log is None else log.known(question.task.name)
        texts = [text for index, text in enumerate(question.texts) if index not in known]
        prompts = [prompt_for(own, text) for text in texts]
        labels = question.task.labels
        per_answer = 1 + round(sum(map(tokens_in, labels)) / len(labels))
        most = most_tokens_out(own)
        plans.append(
            TaskPlan(
                task=question.task.name,
                prompt=prompts[0] if prompts else "",
                n_requests=len(prompts),
                n_known=len(known),
                n_tokens_in=sum(tokens_in(prompt) + _TOKENS_A_MESSAGE for prompt in prompts),
                n_tokens_out=per_answer * len(prompts),
                most_tokens_out=None if most is None else most * len(prompts),
            )
        )
    return plans


def tokens_in(text: str) -> int:
    """Return about how many tokens a text has."""
    n_ascii = sum(character.isascii() for character in text)
    return -(-n_ascii // _CHARACTERS_A_TOKEN) + len(text) - n_ascii
