"""Which changes would touch the label: guarded words, negations, misreadings, polarity."""
