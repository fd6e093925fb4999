"""Colours, fonts, icons and the style sheet, from one table of tokens."""
