"""ONNX: read at the level of the wire format, so that weights stay where they are."""
