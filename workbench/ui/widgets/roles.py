"""Roles of painted widgets for screen readers. Qt knows those of its own widgets only."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import Shiboken

_ATTRIBUTE = "accessible_role"
"""A widget class says its role with a class attribute of this name."""


def _interface(class_name: str, thing: QObject) -> QAccessibleInterface | None:
    role = getattr(thing, _ATTRIBUTE, None)
    if not isinstance(thing, QWidget) or role is None:
        return None
    interface = QAccessibleWidget(thing, role, thing.accessibleName())
    # Qt owns what a factory makes, but PySide 6.11 would free it with its wrapper: crashes at the next event.
    Shiboken.invalidate(interface)
    return interface


@lru_cache(maxsize=1)
def install_roles() -> None:
    """Tell Qt to ask here first. Once is enough; further calls do nothing."""
    QAccessible.installFactory(_interface)
