"""Attacks on withheld labels: what outsiders can guess of them from what is published."""
