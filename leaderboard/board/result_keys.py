"""What a release is divided into, and what a result says that it has scores for."""

from contract.schema.manifest import Manifest
from contract.schema.names import degree_key
from contract.schema.results import Result

OVERALL = "overall"

# Task, dimension, setting and degree, or the first of them; of the overall score a dimension or a setting.
Part = tuple[str, ...]


def parts_of_release(manifest: Manifest) -> set[Part]:
    """Return everything that a result on this release may have scores for."""
    parts: set[Part] = {(task.name,) for task in manifest.tasks}
    for split in manifest.splits:
        if split.is_adversarial and split.setting is not None:
            parts.update(_down_to(split.task, split.dimension, split.setting, degree_key(split.degree)))
            parts |= {(OVERALL, split.dimension), (OVERALL, split.setting)}
    return parts


def parts_of_result(result: Result) -> list[Part]:
    """Return everything that a result names, whatever contains it first, each once."""
    parts: list[Part] = []
    for task, score in result.tasks.items():
        parts.append((task,))
        for dimension, settings in score.dimensions.items():
            parts.append((task, dimension))
            for setting, value in settings.items():
                parts += _down_to(task, dimension, setting)
                parts += [(task, dimension, setting, key) for key in (*value.degrees, *value.degrees_used)]
    if result.overall is not None:
        parts += [(OVERALL, name) for name in (*result.overall.dimensions, *result.overall.settings)]
    return list(dict.fromkeys(parts))


def _down_to(*names: str) -> list[Part]:
    """Return a part after all that it belongs to."""
    return [names[:n] for n in range(1, len(names) + 1)]
