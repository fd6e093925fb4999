"""The agent of this computer: what ``workbench/agent`` is to a phone, in Python.

For systems where no agent in C++ is shipped. Standard library, numpy, psutil and MNN alone, like a
worker. ``core/protocol.py`` is the contract; what this one cannot measure it leaves out.
"""
