"""Netron beside Workbench: the model's file as it draws it, with the values of every tensor."""
