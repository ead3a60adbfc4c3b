"""Turns what others have published into releases, one file a source."""
