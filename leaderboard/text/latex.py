"""Text as LaTeX source."""

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def latex_text(text: str) -> str:
    """Return LaTeX source that prints the text as it is."""
    return "".join(_ESCAPED.get(character, character) for character in text)
