"""People judge cases: plans, pages, their answers, agreement, and the next version of a release."""
