"""Keys of the graph: one table, which the help page and the tooltips can read, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from workbench.ui.graph.ways import Way

if TYPE_CHECKING:
    from workbench.ui.graph.view import GraphView

Action = Callable[["GraphView"], None]

_K, _M = Qt.Key, Qt.KeyboardModifier
_PLAIN: Final = _M.NoModifier

_ACTIONS: Final[dict[tuple[Qt.Key, Qt.KeyboardModifier], Action]] = {
    (_K.Key_Up, _PLAIN): lambda view: view.go(Way.PRODUCER),
    (_K.Key_Down, _PLAIN): lambda view: view.go(Way.CONSUMER),
    (_K.Key_Left, _PLAIN): lambda view: view.go(Way.LEFT),
    (_K.Key_Right, _PLAIN): lambda view: view.go(Way.RIGHT),
    (_K.Key_Left, _M.AltModifier): lambda view: view.go_back(),
    (_K.Key_Right, _M.AltModifier): lambda view: view.go_forward(),
    (_K.Key_Return, _PLAIN): lambda view: view.enter(),
    (_K.Key_Enter, _PLAIN): lambda view: view.enter(),
    (_K.Key_Return, _M.ControlModifier): lambda view: view.activate(),
    (_K.Key_Enter, _M.ControlModifier): lambda view: view.activate(),
    (_K.Key_Backspace, _PLAIN): lambda view: view.go_up(),
    (_K.Key_Space, _PLAIN): lambda view: view.fit(),
    (_K.Key_0, _PLAIN): lambda view: view.set_zoom(1.0),
    (_K.Key_Plus, _PLAIN): lambda view: view.zoom_in(),
    (_K.Key_Equal, _PLAIN): lambda view: view.zoom_in(),
    (_K.Key_Minus, _PLAIN): lambda view: view.zoom_out(),
    (_K.Key_Escape, _PLAIN): lambda view: view.clear_selection(),
    (_K.Key_C, _M.ControlModifier): lambda view: view.copy_name(),
}


def action_for(event: QKeyEvent) -> Action | None:
    """What the key does here, None where it is not ours. "+" may need Shift, digits a keypad."""
    modifiers = event.modifiers() & ~(_M.KeypadModifier | _M.GroupSwitchModifier)
    if event.key() in (_K.Key_Plus, _K.Key_Equal):
        modifiers &= ~_M.ShiftModifier
    return _ACTIONS.get((Qt.Key(event.key()), modifiers))
