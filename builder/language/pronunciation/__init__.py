"""How English words sound, and other ways of spelling the same sounds."""
