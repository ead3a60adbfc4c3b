"""What every part must do, checked on parts of any package: one file a kind, each a list of named checks."""
