"""Isolation: whatever is native or heavy runs in a child process that may crash, hang or grow."""
