"""The builder's commands. One file a group of commands."""
