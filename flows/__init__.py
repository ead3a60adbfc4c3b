"""The flows that call more than one package: they exchange files."""
