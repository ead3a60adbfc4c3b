"""Trains the judge of substitutions on people's verdicts and on words that people gave."""
