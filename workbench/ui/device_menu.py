"""The menu of the device button: every device, and how to get another."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from workbench.app.session import Session, State
from workbench.ui.commands import CommandSet
from workbench.ui.device_words import device_icon, device_state, device_title
from workbench.ui.text import tr
from workbench.ui.theme.icons import icon


def fill_device_menu(menu: QMenu, state: State, session: Session, commands: CommandSet) -> None:
    """Make the entries anew; devices that are not ready are named with their state, and cannot be chosen."""
    menu.clear()
    chosen = state.chosen_device
    for device in state.devices:
        title = device_title(device)
        word, _ = device_state(device)
        detail = device.serial if device.is_ready else word
        text = tr("{name}, {detail}", name=title, detail=detail).replace("&", "&&")
        action = menu.addAction(icon(device_icon(device)), text)
        action.setCheckable(True)
        action.setChecked(chosen is not None and device.serial == chosen.serial)
        action.setEnabled(device.is_ready)
        action.triggered.connect(lambda _on=False, serial=device.serial: session.choose_device(serial))
    menu.addSeparator()
    for command in ("start-phone", "connect", "refresh-devices"):
        menu.addAction(commands[command])
