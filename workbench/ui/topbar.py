"""The top bar: menus, where one is, commands, undo, the device, and the step's main button."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from workbench.core.device import Device
from workbench.core.messages import Message, plain
from workbench.ui.boxes import row, rule
from workbench.ui.buttons import button, icon_button, set_button_icon, set_kind
from workbench.ui.commands import MENUS, CommandSet
from workbench.ui.device_words import device_icon, device_title
from workbench.ui.icon_label import IconLabel
from workbench.ui.logo import Logo
from workbench.ui.text import say, tr
from workbench.ui.theme.icons import ROW, icon
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.badge import TintBadge
from workbench.ui.widgets.labels import ElidedLabel, surface, text_label

HEIGHT: Final = 44


class _FieldButton(QPushButton):
    """A button with a layout of its own inside: icon, words, and something at the right."""

    def __init__(self) -> None:
        super().__init__()
        self.setAutoDefault(False)
        self.inside: QHBoxLayout = row(self, inset=(10, 0, 8, 0))
        self.icon_label = IconLabel("")
        self.inside.addWidget(self.icon_label)

    def sizeHint(self) -> QSize:
        """What is inside decides; Qt looks at the button's own text only."""
        return QSize(self.inside.sizeHint().width(), theme().px(28))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def show_icon(self, name: str) -> None:
        self.icon_label.show_icon(name)


class CommandField(_FieldButton):
    """Looks like a search field, opens the palette."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Commands"))
        self.setToolTip(tr("Every command, by name (Ctrl+K)"))
        self.show_icon("search")
        self.words = text_label(tr("Commands"), "hint")
        self.key = TintBadge("Ctrl K")
        self.inside.addWidget(self.words, 1)
        self.inside.addWidget(self.key)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_narrow(False)

    def set_narrow(self, narrow: bool) -> None:
        self.words.setVisible(not narrow)
        self.key.setVisible(not narrow)
        self.setFixedWidth(theme().px(36 if narrow else 160))
        set_kind(self, "flat" if narrow else "")


class DeviceButton(_FieldButton):
    """The device that Run uses; its menu has the others."""

    def __init__(self) -> None:
        super().__init__()
        self.name = text_label("", "strong")
        self.detail = text_label("", "hint")
        self.arrow = IconLabel("chevron-down", ROW)
        self.inside.addWidget(self.name)
        self.inside.addWidget(self.detail, 1)
        self.inside.addWidget(self.arrow)
        self.setMinimumWidth(theme().px(136))
        self.setMenu(QMenu(self))
        self.show_device(None)

    def show_device(self, device: Device | None, detail: str = "") -> None:
        title = device_title(device) if device is not None else tr("No device")
        self.name.setText(title)
        self.detail.setText(plain(detail or (device.abi if device is not None else "")))
        self.show_icon(device_icon(device) if device is not None else "smartphone")
        self.updateGeometry()
        self.setAccessibleName(tr("Device: {name}", name=title))
        self.setToolTip(tr("The device that Run uses"))


class Breadcrumb(QWidget):
    """project > model, the plan in short, and whether conversions may rewrite."""

    def __init__(self) -> None:
        super().__init__()
        layout = row(self)
        layout.addWidget(rule(vertical=True))
        self.project = ElidedLabel("", "strong", Qt.TextElideMode.ElideMiddle)
        self.arrow = IconLabel("chevron-right", ROW)
        self.model = ElidedLabel("", "", Qt.TextElideMode.ElideMiddle)
        self.plan = TintBadge("")
        self.rewriting = TintBadge(tr("Exact rewrites"), "right", "wrench")
        self.rewriting.setToolTip(tr("What is not right as it is will be rewritten when the model is converted"))
        self.rewriting.hide()
        layout.addSpacing(theme().px(4))
        self.unsaved = text_label("\N{BULLET}", "strong")
        self.unsaved.setToolTip(tr("Not saved in a project"))
        self.unsaved.setAccessibleName(tr("Not saved in a project"))
        for widget in (self.project, self.arrow, self.model, self.unsaved, self.plan, self.rewriting):
            layout.addWidget(widget)
        layout.addStretch(1)
        self.hide()

    def show_path(self, project: str, model: str, plan: str) -> None:
        """``project`` "" leaves it out; ``plan`` is the chip's text."""
        self.setVisible(bool(model))
        self.project.set_text(project)
        self.project.setVisible(bool(project))
        self.arrow.setVisible(bool(project))
        self.model.set_text(model)
        self.plan.set_badge(plan)

    def show_rewriting(self, on: bool) -> None:
        """A chip while conversions may rewrite."""
        self.rewriting.setVisible(on)

    def show_unsaved(self, unsaved: bool) -> None:
        """A dot after the name of what no project keeps as it is."""
        self.unsaved.setVisible(unsaved)


class TopBar(QWidget):
    """44 high. ``main`` is the one main button."""

    home_wanted = Signal()

    def __init__(self, commands: CommandSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        surface(self, "chrome", line="bottom")
        self.setFixedHeight(theme().px(HEIGHT))
        self.logo = Logo()
        self.logo.clicked.connect(self.home_wanted)
        self.menus = self._menu_bar(commands)
        self.menu_button = self._menu_button()
        self.crumbs = Breadcrumb()
        self.field = CommandField()
        self.field.clicked.connect(commands["commands"].trigger)
        self.undo = _action_button(commands["undo"], "undo-2")
        self.redo = _action_button(commands["redo"], "redo-2")
        self.device = DeviceButton()
        self.main = button("", "play", "main")
        self._main_icon = "play"
        self.main.clicked.connect(commands["main"].trigger)
        layout = row(self, inset=(0, 0, 12, 0))
        self._logo_box = QWidget()
        logo_row = row(self._logo_box)
        logo_row.addWidget(self.logo, alignment=Qt.AlignmentFlag.AlignCenter)
        logo_row.addWidget(self.menu_button, alignment=Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self._logo_box)
        layout.addWidget(self.menus, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.crumbs, 1)
        layout.addStretch(0)
        for widget in (self.field, self.undo, self.redo, self.device, self.main):
            layout.addWidget(widget)
        self.set_narrow(False, 72)

    def set_narrow(self, narrow: bool, rail_width: int) -> None:
        """Under 1200: the menus behind one button, the command field an icon."""
        self._logo_box.setFixedWidth(theme().px(rail_width))
        self.logo.setVisible(not narrow)
        self.menu_button.setVisible(narrow)
        self.menus.setVisible(not narrow)
        self.field.set_narrow(narrow)
        self.device.detail.setVisible(not narrow)
        self.crumbs.plan.setVisible(not narrow)

    def show_main(self, text: str, icon_name: str, *, enabled: bool, quiet: bool = False) -> None:
        """``quiet``: another main button has the word (an error bar's remedy), or it stops something."""
        if not text and self.main.hasFocus():
            self.window().setFocus()
        self.main.setVisible(bool(text))
        self.main.setText(text)
        self.main.setToolTip(tr("{act} ({key})", act=text, key="F5"))
        if not enabled and self.main.hasFocus():
            self.window().setFocus()  # or Qt hands it to whatever control comes next
        self.main.setEnabled(enabled)
        kind = "" if quiet else "main"
        if (self.main.property("kind") or "") != kind or icon_name != self._main_icon:
            self._main_icon = icon_name
            set_kind(self.main, kind)
            set_button_icon(self.main, icon_name)

    def show_editing(self, on: bool) -> None:
        """Undo, redo and the device belong to a model that is open."""
        for widget in (self.undo, self.redo, self.device):
            widget.setVisible(on)

    def menu_of(self, title: Message) -> QMenu:
        return self._menus[title]

    def _menu_bar(self, commands: CommandSet) -> QMenuBar:
        bar = QMenuBar()
        bar.setAccessibleName(tr("Menus"))
        self._menus: dict[Message, QMenu] = {}
        for title in MENUS:
            rows = commands.of_menu(title)
            if rows:
                menu = bar.addMenu(say(title))
                self._menus[title] = menu
                for command in rows:
                    if command.starts_group:
                        menu.addSeparator()
                    menu.addAction(commands[command.id])
        return bar

    def _menu_button(self) -> QToolButton:
        result = icon_button("menu", tr("Menus"))
        result.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(result)
        for sub in self._menus.values():
            menu.addMenu(sub)
        result.setMenu(menu)
        return result


def _action_button(action: QAction, icon_name: str) -> QToolButton:
    result = icon_button(icon_name, action.text())
    result.setDefaultAction(action)
    result.setIcon(icon(icon_name))
    return result
