"""Finds recipe files by path or name and reads them; errors name the line and the key."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from builder.recipe.file_paths import with_absolute_paths
from builder.recipe.outside_parts import with_outside_parts
from builder.recipe.recipe import GONE_KEYS, Recipe
from builder.tasks.task_recipe import RecipeSection
from contract.machine.errors import bad_input, bad_inputs
from contract.machine.registry import did_you_mean
from contract.machine.yaml_files import read_yaml
from contract.schema.documents import key_path, validation_lines

RECIPES_PATH = Path(__file__).parents[2] / "recipes"


def find_recipe(name: str) -> Path:
    """Return the path of a recipe that is given by its path or by the name of a shipped one."""
    path = Path(name)
    shipped = RECIPES_PATH / f"{name}.yaml"
    if path.suffix in {".yaml", ".yml"} or path.is_file():
        return path
    if path.name == name and shipped.is_file():
        return shipped
    names = sorted(recipe.stem for recipe in RECIPES_PATH.glob("*.yaml"))
    raise bad_input(f"no recipe {name!r};{did_you_mean(name, names)} ready recipes: {', '.join(names)}")


def read_recipe(path: Path, *, is_trusted: bool = False) -> Recipe:
    """Return the recipe in a YAML file; one error names all that is wrong, by file, line and key.

    Only a trusted recipe may name parts by their place, python:MODULE:VALUE, which runs their code.
    """
    raw, node = read_yaml(path)
    if node is None or not isinstance(raw, dict):
        raise bad_input(f"{path}:1: a recipe is a mapping with name, version, tasks and dimensions")
    twice = list(_keys_twice(node))
    if twice:
        raise bad_inputs([f"{path}:{line}: the key {key!r} stands twice" for line, key in twice])
    raw = with_outside_parts(raw, path.parent, is_trusted=is_trusted)
    try:
        recipe = Recipe.model_validate(raw)
    except ValidationError as error:
        raise bad_inputs(_recipe_problems(path, node, error)) from None
    return with_absolute_paths(recipe, path.parent)


def recipe_of(raw: Mapping[str, Any], folder: Path, *, is_trusted: bool = False) -> Recipe:
    """Return the recipe in a mapping, whose relative paths are found from a folder."""
    try:
        recipe = Recipe.model_validate(with_outside_parts(dict(raw), folder, is_trusted=is_trusted))
    except ValidationError as error:
        raise bad_inputs([f"recipe: {line}" for line in validation_lines(error)]) from None
    return with_absolute_paths(recipe, folder)


def _recipe_problems(path: Path, node: yaml.Node, error: ValidationError) -> list[str]:
    keys = {key for section in RecipeSection.__subclasses__() for key in section.model_fields}
    problems = []
    for fault, line in zip(error.errors(), validation_lines(error), strict=True):
        message = line
        if fault["type"] == "extra_forbidden":
            unknown = str(fault["loc"][-1])
            guess = did_you_mean(unknown, keys)
            message = f"{key_path(fault['loc'])}: unknown key {unknown!r};{guess} remove or rename it"
            if unknown in GONE_KEYS:
                message = f"{key_path(fault['loc'])}: {GONE_KEYS[unknown]}"
        problems.append(f"{path}:{_line_of(node, fault['loc'])}: {message}")
    return problems


def _line_of(node: yaml.Node, location: tuple[str | int, ...]) -> int:
    """Return the line of a key or list item of the document, or the nearest line above it."""
    line: int = node.start_mark.line + 1
    for step in location:
        if isinstance(node, yaml.MappingNode):
            entries = [(key, value) for key, value in node.value if key.value == str(step)]
            if not entries:
                break
            key, node = entries[0]
            line = key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
    return line


def _keys_twice(node: yaml.Node) -> list[tuple[int, str]]:
    """Return the keys that stand twice, which YAML would silently overwrite, with their lines."""
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
