"""Trains models on attacked rows and measures what that helps against which attack."""
