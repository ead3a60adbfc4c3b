"""The commands of the evaluator, one file each."""
