"""Where models run: this computer, phones over adb, and the simulated phone."""
