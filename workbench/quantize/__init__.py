"""Choosing the precision of each layer: plans, what they cost, what they endanger."""
