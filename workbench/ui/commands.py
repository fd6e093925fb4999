"""Everything the window can do, as one table: menus, keys, palette and buttons are made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from workbench.app.language import LANGUAGES
from workbench.core.messages import Message, msg
from workbench.ui.step import STEPS
from workbench.ui.text import say
from workbench.ui.theme.icons import icon

FILE, EDIT, VIEW, MODEL, DEVICE, HELP = (
    msg("File"),
    msg("Edit"),
    msg("View"),
    msg("Model"),
    msg("Device"),
    msg("Help"),
)
MENUS: Final = (FILE, EDIT, VIEW, MODEL, DEVICE, HELP)


@dataclass(frozen=True, slots=True)
class WindowCommand:
    """``keys``: shortcuts, the first is shown. ``starts_group``: a line above it in its menu.

    ``choice``: name of the set of commands of which one is marked.
    """

    id: str
    title: Message
    menu: Message
    keys: tuple[str, ...] = ()
    icon: str = ""
    starts_group: bool = False
    choice: str = ""


def _bits_commands() -> Iterable[WindowCommand]:
    yield WindowCommand("bits-0", msg("Keep the selected layers float"), EDIT, ("Alt+F",), starts_group=True)
    for bits in (8, 6, 4, 3, 2):
        yield WindowCommand(f"bits-{bits}", msg("Selected layers to {bits} bit", bits=bits), EDIT, (f"Alt+{bits}",))


def _step_commands() -> Iterable[WindowCommand]:
    for number, look in enumerate(STEPS, start=1):
        yield WindowCommand(f"step-{look.step}", look.go, VIEW, (f"Ctrl+{number}",), look.icon)


COMMANDS: Final = (
    WindowCommand("open-model", msg("Open model"), FILE, ("Ctrl+O",), "folder-open"),
    WindowCommand("open-project", msg("Open project"), FILE, ("Ctrl+Shift+O",)),
    WindowCommand("try-sample", msg("Try the sample"), FILE, (), "play"),
    WindowCommand("start-page", msg("Start page"), FILE),
    WindowCommand("save-project", msg("Save project"), FILE, ("Ctrl+S",), "save", starts_group=True),
    WindowCommand("save-artifact", msg("Save the converted model as"), FILE, ("Ctrl+Shift+S",), "download"),
    WindowCommand("export", msg("Export"), FILE, (), "external-link"),
    WindowCommand("write-report", msg("Write report"), FILE, (), "file-text"),
    WindowCommand("quit", msg("Quit"), FILE, ("Ctrl+Q",), starts_group=True),
    WindowCommand("undo", msg("Undo"), EDIT, ("Ctrl+Z",), "undo-2"),
    WindowCommand("redo", msg("Redo"), EDIT, ("Ctrl+Shift+Z", "Ctrl+Y"), "redo-2"),
    WindowCommand("find", msg("Filter layers"), EDIT, ("Ctrl+F",), "list-filter", starts_group=True),
    WindowCommand("find-next", msg("Next layer found"), EDIT, ("F3",)),
    WindowCommand("find-previous", msg("Previous layer found"), EDIT, ("Shift+F3",)),
    WindowCommand("copy-csv", msg("Copy the table as CSV"), EDIT, (), "copy"),
    *_bits_commands(),
    WindowCommand("commands", msg("Commands"), VIEW, ("Ctrl+K",), "search"),
    *_step_commands(),
    WindowCommand("toggle-layers", msg("Layers"), VIEW, ("Ctrl+B",), starts_group=True),
    WindowCommand("toggle-inspector", msg("Inspector"), VIEW, ("Ctrl+I",)),
    WindowCommand("toggle-dock", msg("Bottom dock"), VIEW, ("Ctrl+J",)),
    WindowCommand("theme-system", msg("Theme of the system"), VIEW, choice="theme", starts_group=True),
    WindowCommand("theme-light", msg("Light theme"), VIEW, choice="theme"),
    WindowCommand("theme-dark", msg("Dark theme"), VIEW, choice="theme"),
    WindowCommand("larger", msg("Larger text"), VIEW, ("Ctrl+Shift+=", "Ctrl++"), starts_group=True),
    WindowCommand("smaller", msg("Smaller text"), VIEW, ("Ctrl+Shift+-",)),
    WindowCommand("usual-size", msg("Usual text size"), VIEW),
    WindowCommand("language-system", msg("Language of the system"), VIEW, choice="language", starts_group=True),
    *(WindowCommand(f"language-{code}", Message(name), VIEW, choice="language") for code, name in LANGUAGES.items()),
    WindowCommand("main", msg("Main action of this step"), MODEL, ("F5",), "play"),
    WindowCommand("check", msg("Check"), MODEL, (), "shield-check"),
    WindowCommand("show-fault", msg("Show the op at fault"), MODEL, (), "crosshair"),
    WindowCommand("fix-all", msg("Fix all by exact rewrites"), MODEL, (), "wrench"),
    WindowCommand("rewrites-off", msg("Turn off rewrites"), MODEL),
    WindowCommand("convert", msg("Convert"), MODEL, (), "package"),
    WindowCommand("inputs", msg("Choose inputs to check with"), MODEL, (), "upload"),
    WindowCommand("open-netron", msg("Open in Netron"), MODEL, (), "external-link", starts_group=True),
    WindowCommand("run", msg("Run"), DEVICE, (), "play"),
    WindowCommand("stop", msg("Stop the run"), DEVICE, (), "square"),
    WindowCommand("start-phone", msg("Start a simulated phone"), DEVICE, (), "plus", starts_group=True),
    WindowCommand("connect", msg("Connect by address"), DEVICE),
    WindowCommand("refresh-devices", msg("Look for devices"), DEVICE, (), "refresh-cw"),
    WindowCommand("keys", msg("Keys and commands"), HELP, ("F1",), "circle-help"),
    WindowCommand("log", msg("Show the log"), HELP, (), "square-terminal"),
)


class CommandSet:
    """The commands of one window as QActions, by id."""

    def __init__(self, window: QWidget, doings: Mapping[str, Callable[[], object]]) -> None:
        """``doings`` has one callable a command; commands without one are left out, keys and all."""
        self.commands = tuple(command for command in COMMANDS if command.id in doings)
        self._actions: dict[str, QAction] = {}
        for command in self.commands:
            action = QAction(say(command.title), window)
            action.setShortcuts([QKeySequence(key) for key in command.keys])
            action.setCheckable(bool(command.choice))
            if command.icon:
                action.setIcon(icon(command.icon))
            action.triggered.connect(lambda _checked=False, do=doings[command.id]: do())
            window.addAction(action)
            self._actions[command.id] = action

    def __getitem__(self, command_id: str) -> QAction:
        return self._actions[command_id]

    def __contains__(self, command_id: str) -> bool:
        return command_id in self._actions

    def enable(self, command_id: str, on: bool) -> None:
        """Some commands are not there in every build: those are passed over."""
        if command_id in self._actions:
            self._actions[command_id].setEnabled(on)

    def mark(self, choice: str, command_id: str) -> None:
        """Mark one command of a set of choices."""
        for command in self.commands:
            if command.choice == choice:
                self._actions[command.id].setChecked(command.id == command_id)

    def of_menu(self, menu: Message) -> tuple[WindowCommand, ...]:
        return tuple(command for command in self.commands if command.menu == menu)
