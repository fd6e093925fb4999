"""A simulated phone: the device end of the ADB protocol on 127.0.0.1, driven by the real adb server.

It is a device, not a mock: stock ``adb`` speaks to it. Its file system is a folder of this
computer and its programs are this computer's processes with this user's rights: **a folder is
not a sandbox**. Only a holder of this user's adb key is let in.
"""
