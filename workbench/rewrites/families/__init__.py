"""The rules, one file a family. ``catalogue.py`` lists them."""
