"""The graph of a model as one painted widget: hierarchy, layout, painting, interaction."""
