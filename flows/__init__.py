"""Commands that call more than one package; the packages exchange files only."""
