"""This computer's agent in Python: the same language as the agent of phones, and the same numbers."""
