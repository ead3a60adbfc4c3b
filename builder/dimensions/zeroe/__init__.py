"""The ten attacks of Zéroe (Eger and Benz, 2020): low-level changes that people see through.

Each is a file here and an entry in the registry of dimensions. The words that they share stand in `cores.py`.
"""
