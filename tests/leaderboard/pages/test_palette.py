"""The colours of models: far apart for everybody, and clear of their ground."""

import re
from itertools import combinations

import numpy as np
import pytest

from leaderboard.pages.rendering import ASSETS_PATH

Vector = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

# What is left of linear RGB without red or green cones: Machado, Oliveira and Fernandes 2009, severity 1.
EYES = {
    "most people": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}
# Linear RGB to Oklab, in which equal distances look about equally far.
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
# Of 100 between black and white; two colours side by side are told apart from about 2.
CLEARLY_APART = 12
LEAST_CONTRAST = 3


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_of_models_stay_apart(scheme: str, eyes: str) -> None:
    """For every pair of the five that are compared, also without red or green cones."""
    colours = _colours(scheme)
    assert len(colours) == 5
    seen = {name: _oklab(EYES[eyes] @ _linear(name)) for name in colours}
    near = {
        pair: distance
        for pair in combinations(colours, 2)
        if (distance := float(np.linalg.norm(seen[pair[0]] - seen[pair[1]]))) < CLEARLY_APART
    }
    assert near == {}


def test_two_colours_that_look_the_same_would_be_found() -> None:
    """A red brown and an olive are one colour without red cones."""
    first, second = (_oklab(EYES["protanopia"] @ _linear(name)) for name in ("#c04f00", "#7a6400"))
    assert np.linalg.norm(first - second) < 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_of_models_are_clear_of_their_ground(scheme: str) -> None:
    """Lines need three to one."""
    ground = _luminance(re.findall(r"--card: (#[0-9a-f]{6})", _style())[scheme == "dark"])
    for colour in _colours(scheme):
        low, high = sorted((_luminance(colour), ground))
        assert (high + 0.05) / (low + 0.05) >= LEAST_CONTRAST, colour


def _style() -> str:
    return (ASSETS_PATH / "site.css").read_text(encoding="utf-8")


def _colours(scheme: str) -> list[str]:
    """Return the colours in the order of the models; the dark ones come second."""
    found = re.findall(r"\.c[0-4] { --own: (#[0-9a-f]{6}); }", _style())
    return found[: len(found) // 2] if scheme == "light" else found[len(found) // 2 :]


def _linear(colour: str) -> Vector:
    encoded = np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def _oklab(linear: Vector) -> Vector:
    return 100 * TO_LAB @ np.cbrt(TO_CONES @ np.clip(linear, 0, 1))


def _luminance(colour: str) -> float:
    return float(_linear(colour) @ np.array([0.2126, 0.7152, 0.0722]))
