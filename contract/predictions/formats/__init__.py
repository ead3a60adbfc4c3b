"""The file formats of predictions, one file a format; every file is read as untrusted."""
