from __future__ import annotations

import os

# Tests that compare with onnxruntime load it into this process: nothing may be sent from here either.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
