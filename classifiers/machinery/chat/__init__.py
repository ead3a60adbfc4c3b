"""Asks a chat model: prompts, connections, waits and retries, and the label in the answer."""
