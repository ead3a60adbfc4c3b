"""Asks a model as a judge the same two questions as people; its answers are a file of their own kind."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from builder.curation.answers import JUDGE_PREFIX, Answer, AnswerFile
from builder.curation.plan import Plan, PlannedTask, PlannedText
from classifiers import LoadRequest, parse_spec
from classifiers.machinery.classifier import EndpointOptions, TextPair
from contract.machine.cache_folder import cache_path
from contract.machine.errors import ExitCode, UserError
from contract.machine.progress import Progress
from contract.schema.manifest import TaskInfo

KEEPS_PROMPT = Path(__file__).parent / "prompts" / "keeps.txt"
KEEPS = ("yes", "no")


def ask_judge(plan: Plan, spec: str, endpoint: EndpointOptions, progress: Progress) -> AnswerFile:
    """Return a judge's answers to all texts but those of the training; a text without a label is left out."""
    if not spec.startswith(JUDGE_PREFIX):
        raise UserError(
            f"--judge {spec}: a judge is a model that is asked in words; write {JUDGE_PREFIX}MODEL",
            exit_code=ExitCode.WRONG_USE,
        )
    texts = [text for text in plan.texts if text.part != "training"]
    progress.stage(f"ask {spec}", len(texts))
    answers: list[Answer] = []
    for task in plan.tasks:
        of_task = [text for text in texts if text.task == task.name]
        labels = _labels(spec, task, of_task, endpoint)
        keeps = _opinions(spec, [text for text in of_task if text.key in labels], endpoint)
        # Without an answer to both questions there is no vote, as on people's pages.
        answers += [
            Answer(key=text.key, label=labels[text.key], keeps=keeps.get(text.key))
            for text in of_task
            if text.key in labels and (text.original is None or text.key in keeps)
        ]
        progress.step(len(of_task))
    return AnswerFile(plan=plan.sha256, annotator=spec, kind="model", answers=answers)


def _labels(
    spec: str, task: PlannedTask, texts: Sequence[PlannedText], endpoint: EndpointOptions
) -> dict[str, str]:
    """Return the labels that the judge names, seeing the texts alone."""
    question = _question(task.name, task.labels, task.fields)
    chosen = _ask(spec, question, [(text.text, text.text_pair) for text in texts], endpoint)
    return {texts[place].key: task.labels[label] for place, label in chosen.items()}


def _opinions(spec: str, texts: Sequence[PlannedText], endpoint: EndpointOptions) -> dict[str, bool]:
    """Return whether texts keep the meaning of their originals, as the judge says."""
    compared = [text for text in texts if text.original is not None]
    pairs: list[TextPair] = [
        (_joined(text.original, text.original_pair), _joined(text.text, text.text_pair)) for text in compared
    ]
    question = _question("meaning", KEEPS, ("original", "changed"))
    chosen = _ask(spec, question, pairs, replace(endpoint, prompt_paths={"": KEEPS_PROMPT}))
    return {compared[place].key: KEEPS[answer] == "yes" for place, answer in chosen.items()}


def _joined(text: str | None, text_pair: str | None) -> str:
    return "\n".join(part for part in (text, text_pair) if part is not None)


def _question(name: str, labels: Sequence[str], fields: Sequence[str]) -> TaskInfo:
    """Return a question as the task that a classifier is loaded for."""
    return TaskInfo(
        name=name,
        labels=tuple(labels),
        fields=tuple(fields),
        source="a plan of annotation",
        licence="not stated",
        n_samples=0,
        n_train=0,
    )


def _ask(
    spec: str, question: TaskInfo, texts: Sequence[TextPair], endpoint: EndpointOptions
) -> Mapping[int, int]:
    """Return the judge's choice for each text that it names a label of."""
    if not texts:
        return {}
    kind, argument = parse_spec(spec)
    request = LoadRequest(
        argument=argument, task=question, release=None, cache_path=cache_path(), endpoint=endpoint
    )
    rows = kind.load(request).probabilities(texts)
    return {place: int(row.argmax()) for place, row in enumerate(rows) if not np.isnan(row).any()}
