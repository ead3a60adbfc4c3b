"""Recipe files: found by path or name, and read so that every fault is named by line and key."""

from collections.abc import Sequence
from pathlib import Path

import yaml
from pydantic import ValidationError

from builder.recipe.recipe import Recipe
from builder.recipe.task_recipe import RecipePart
from contract.machine.errors import ExitCode, UserError, bad_input, bad_inputs
from contract.machine.registry import did_you_mean
from contract.schema.documents import key_path, validation_lines

RECIPES_PATH = Path(__file__).parents[2] / "recipes"


def find_recipe(name: str) -> Path:
    """Return the path of a recipe given by path, or by the name of a ready one."""
    path = Path(name)
    ready = RECIPES_PATH / f"{name}.yaml"
    if path.suffix in {".yaml", ".yml"} or path.is_file():
        return path
    if path.name == name and ready.is_file():
        return ready
    known = sorted(recipe.stem for recipe in RECIPES_PATH.glob("*.yaml"))
    raise bad_input(f"no recipe {name!r};{did_you_mean(name, known)} ready recipes: {', '.join(known)}")


def read_recipe(path: Path) -> Recipe:
    """Return the recipe in a YAML file, or name each fault by file, line and key."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise bad_input(f"{path}: there is no such recipe") from None
    except (OSError, UnicodeDecodeError) as error:
        raise bad_input(f"{path}: cannot be read: {error}") from None
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        raw = loader.construct_document(node) if node is not None else None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise bad_input(f"{path}:{line}: not YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise bad_input(f"{path}: not YAML: {error}") from None
    if node is None or not isinstance(raw, dict):
        raise bad_input(f"{path}:1: a recipe is a mapping with name, version, tasks and dimensions")
    twice = list(_keys_twice(node))
    if twice:
        raise bad_inputs([f"{path}:{line}: the key {key!r} stands twice" for line, key in twice])
    try:
        recipe = Recipe.model_validate(raw)
    except ValidationError as error:
        raise bad_inputs(_recipe_problems(path, node, error)) from None
    return _with_absolute_paths(recipe, path.parent)


def with_sources(recipe: Recipe, sources: Sequence[str], trains: Sequence[str]) -> Recipe:
    """Return the recipe with tasks read from elsewhere, each given as TASK=SOURCE."""
    names = [task.name for task in recipe.tasks]
    for key, given in (("source", sources), ("train", trains)):
        for each in given:
            name, equals, source = each.partition("=")
            if not equals or name not in names:
                raise UserError(
                    f"--{key} {each}: expected TASK=SOURCE;{did_you_mean(name, names)}"
                    f" the tasks are: {', '.join(names)}",
                    exit_code=ExitCode.WRONG_USE,
                )
            tasks = tuple(
                task.model_copy(update={key: source}) if task.name == name else task for task in recipe.tasks
            )
            recipe = recipe.model_copy(update={"tasks": tasks})
    return _with_absolute_paths(recipe, Path.cwd()) if sources or trains else recipe


def _recipe_problems(path: Path, node: yaml.Node, error: ValidationError) -> list[str]:
    keys = {key for part in RecipePart.__subclasses__() for key in part.model_fields}
    problems = []
    for fault, line in zip(error.errors(), validation_lines(error), strict=True):
        message = line
        if fault["type"] == "extra_forbidden":
            unknown = str(fault["loc"][-1])
            guess = did_you_mean(unknown, keys)
            message = (
                f"{key_path(fault['loc'])}: nobody reads the key {unknown!r};{guess} remove or rename it"
            )
        problems.append(f"{path}:{_line_of(node, fault['loc'])}: {message}")
    return problems


def _line_of(node: yaml.Node, location: tuple[str | int, ...]) -> int:
    """Return the line on which a place of the document stands, or the nearest line above it."""
    line: int = node.start_mark.line + 1
    for part in location:
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if key.value == str(part)]
            if not found:
                break
            key, node = found[0]
            line = key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
    return line


def _keys_twice(node: yaml.Node) -> list[tuple[int, str]]:
    """Return the keys that YAML would silently overwrite."""
    twice = []
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            if key.value in seen:
                twice.append((key.start_mark.line + 1, key.value))
            seen.add(key.value)
            twice += _keys_twice(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            twice += _keys_twice(item)
    return twice


def _with_absolute_paths(recipe: Recipe, folder: Path) -> Recipe:
    """Return the recipe with its `file:` sources taken from the recipe's own folder."""

    def absolute(source: str | None) -> str | None:
        if source is None or not source.startswith("file:"):
            return source
        return f"file:{(folder / source.removeprefix('file:')).resolve()}"

    tasks = tuple(
        task.model_copy(update={"source": absolute(task.source), "train": absolute(task.train)})
        for task in recipe.tasks
    )
    lexicons = tuple(absolute(lexicon) for lexicon in recipe.lexicons)
    update = {"tasks": tasks, "encoder": absolute(recipe.encoder), "lexicons": lexicons}
    return recipe.model_copy(update=update).with_surrogates_from(folder)
