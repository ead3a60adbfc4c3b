"""Turns a release and predictions into a result.

The files in the order of the flow: labelled_rows (what is to be answered) → outcomes (right or wrong, for
each sample) → figures (what the metrics make of them) → draws (the same on bootstrap draws) → degree_scores →
task_scores → overall_scores → score (the result). Beside them: degrees_used, transferable, validity_weights
and rounding; and from the surrogates' votes, kin, tiers and without_families.
"""
