"""The kinds of classifiers that a spec can name. One file a kind."""
