"""Starting: the files by which a program of the user's own is measured, drawn and gated."""
