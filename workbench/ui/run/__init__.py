"""The Run step: device, settings, live charts, steady figures."""
