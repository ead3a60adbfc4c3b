"""Models of the demo that are users' own functions, each a file that imports nothing of ours."""
