"""Puts releases and sites on the Hub."""
