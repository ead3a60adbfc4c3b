"""The command line: mounts the commands of the packages, importing each only when it is used."""
