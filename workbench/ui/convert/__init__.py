"""The Convert step: stages while it runs, and the answer."""
