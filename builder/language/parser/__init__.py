"""The project's one dependency parser."""
