"""Layers, graph and inspector side by side: the steps Model, Check and Quantize."""
