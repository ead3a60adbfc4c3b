"""The kinds of classifiers that a build can train as surrogates. One file a kind."""
