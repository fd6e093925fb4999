"""Workbench: put neural networks on phones, with every number measured."""

__version__ = "0.1.0"
