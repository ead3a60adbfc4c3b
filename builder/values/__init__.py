"""Plain values and word lists that everything else stands on."""
