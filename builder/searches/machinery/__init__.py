"""Steps that searches share: from editable texts over edits and rewrites to records."""
