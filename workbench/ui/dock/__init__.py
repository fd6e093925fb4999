"""The bottom dock: live charts, jobs, log."""
