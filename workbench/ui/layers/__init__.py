"""The layers table: the graph's accessible twin."""
