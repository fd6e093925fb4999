"""Small painted things that panels share."""
