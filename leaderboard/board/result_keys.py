"""Names of scores: the tasks, dimensions, settings and degrees that a release has and a result contains."""

from contract.schema.manifest import Manifest
from contract.schema.names import degree_key
from contract.schema.results import Result

OVERALL = "overall"
ATTACKED = "attacked"
# `live` stands in audits alone.
ATTACKED_SETTINGS = ("score", "gradient", "live")

# The address of a score in a result: (task), (task, dimension), the cell (task, dimension, setting), or a
# cell and a degree; ("overall", setting) for the overall score of a setting, ("overall", dimension, setting)
# for that of a dimension.
ScoreKey = tuple[str, ...]


def keys_of_release(manifest: Manifest) -> set[ScoreKey]:
    """Return the keys of all scores that a result on this release may contain."""
    keys: set[ScoreKey] = {(task.name,) for task in manifest.tasks}
    for split in manifest.splits:
        if split.is_adversarial and split.setting is not None:
            keys.update(_with_parents(split.task, split.dimension, split.setting, degree_key(split.degree)))
            settings = [split.setting] + [ATTACKED] * (split.setting in ATTACKED_SETTINGS)
            for setting in settings:
                keys |= {(OVERALL, setting), (OVERALL, split.dimension, setting)}
    return keys


def keys_of_result(result: Result) -> list[ScoreKey]:
    """Return the keys of all scores that a result contains, each once, after the keys that it begins with."""
    keys: list[ScoreKey] = []
    for task, score in result.tasks.items():
        keys.append((task,))
        for dimension, settings in score.dimensions.items():
            keys.append((task, dimension))
            for setting, value in settings.items():
                keys += _with_parents(task, dimension, setting)
                keys += [(task, dimension, setting, key) for key in (*value.degrees, *value.degrees_used)]
    if result.overall is not None:
        keys += [(OVERALL, setting) for setting in result.overall.settings]
        keys += [
            (OVERALL, dimension, setting)
            for dimension, pairs in result.overall.dimensions.items()
            for setting in pairs
        ]
    return list(dict.fromkeys(keys))


def _with_parents(*names: str) -> list[ScoreKey]:
    """Return a key after all keys that it begins with."""
    return [names[:n] for n in range(1, len(names) + 1)]
