"""Trains or derives the data files that ship with the builder; not in the wheel.

Each file is made by the command of its folder, `derive` or `train`.
"""
