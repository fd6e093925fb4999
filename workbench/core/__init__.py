"""Values and rules: no file access, no child processes, no Qt."""
