"""Model files to graphs: one package or file a format."""
