"""What asking a chat model takes: the prompt, the connection, patience, and reading the answer."""
