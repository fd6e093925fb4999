"""The ONNX node tests against Workbench: whether a yes is true, and whether a no was needed."""
