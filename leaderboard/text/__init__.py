"""Text and numbers as pages show them, whatever a submitter wrote."""
