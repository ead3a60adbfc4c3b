"""Turns a release and predictions into a result.

The files in the order of the flow: outcomes (right or wrong, for each sample) → figures (what the metrics
make of them) → draws (the same on bootstrap draws) → degree_scores → task_scores → overall_scores → score
(the result). rounding, validity_weights and own_family are used on the way.
"""
