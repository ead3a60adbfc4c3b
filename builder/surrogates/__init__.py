"""The classifiers that a build trains, attacks and asks for votes."""
