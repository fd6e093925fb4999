"""Pictures of the window, held against those in ``tests/data/pictures``.

``python -m tests.ui.pictures --update`` takes them anew: look at them before they are committed.
"""
