"""onnxruntime: the reference that every engine's numbers are held against."""
