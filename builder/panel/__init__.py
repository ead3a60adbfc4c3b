"""Which surrogates are asked about cases, and what their votes decide."""
