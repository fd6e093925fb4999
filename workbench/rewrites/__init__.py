"""Exact rewrites of ONNX graphs into forms that the engine computes right, each with its proof."""
