"""The evaluator's commands. One file a group of commands."""
