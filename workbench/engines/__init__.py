"""What converts and runs a model: the engine (MNN) and the reference (onnxruntime), each in a child."""
