"""The audit of one model on one's own data: cases, predictions, scores, report, and conditions for CI."""
