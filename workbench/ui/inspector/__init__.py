"""The inspector: everything that is known of the selection, and its precision."""
