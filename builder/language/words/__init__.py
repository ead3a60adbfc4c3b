"""Words of English: forms, families, negations, and synonyms by hand or from a recipe's files."""
