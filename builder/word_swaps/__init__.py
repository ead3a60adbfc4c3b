"""What `synonym` and `contextual` share: words that can be replaced, and which swaps fit."""
