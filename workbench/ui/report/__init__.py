"""The Report step."""
