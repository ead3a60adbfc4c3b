"""Writes the parts of the documentation that the code knows. One file a part."""
