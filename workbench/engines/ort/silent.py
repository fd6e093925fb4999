"""onnxruntime, told before it is loaded to send nothing. Whoever needs it imports it from here. For children only.

From 1.29 on the wheels for Linux and macOS write a device id into the user's cache and report every session
(names and hashes of the model's file and graph among it) to Microsoft, unless ORT_DISABLE_TELEMETRY was set
when the library was loaded (pull requests 27379 and 29843 of microsoft/onnxruntime). On Windows it gives
events to the system; there the call switches them off.
"""

from __future__ import annotations

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as faults

onnxruntime.disable_telemetry_events()

__all__ = ["faults", "onnxruntime"]
