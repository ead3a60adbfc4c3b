"""The public Python API: the code of the commands, on values as well as files; see hardfrost.py."""
