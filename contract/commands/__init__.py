"""The commands on releases. One file a group of commands."""
