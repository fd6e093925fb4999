"""The start page: drop a model, recent work, devices, samples."""
