"""The file formats of predictions, one file a format, all of them read as files of strangers."""
