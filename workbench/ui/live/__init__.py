"""Charts of a run while it runs, and its numbers."""
