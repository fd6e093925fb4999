"""The precision of the selected layers, or of the whole model where none is selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from PySide6.QtWidgets import QCheckBox, QWidget

from workbench.app.session import Session, State
from workbench.core.plan import LayerQuant
from workbench.ui import edits
from workbench.ui.boxes import PANEL_INSET, column, row
from workbench.ui.buttons import button
from workbench.ui.segments import Segments
from workbench.ui.text import tr
from workbench.ui.theme.theme import theme
from workbench.ui.widgets.labels import surface, text_label

BIT_CHOICES: Final = (0, 8, 6, 4, 3, 2)
BLOCK_CHOICES: Final = (0, 32, 64, 128)
_LABEL_WIDTH: Final = 68
Value = TypeVar("Value")


class PrecisionPart(QWidget):
    """Edits go to the session as plans with labels, so that each can be undone."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        layout = column(self, gap=8, inset=(PANEL_INSET, 12, PANEL_INSET, 16))
        self.heading = text_label("", "strong")
        self.hint = text_label("", "hint", wrap=True)
        self.bits: Segments[int] = Segments(
            [(bits, tr("Float") if bits == 0 else str(bits)) for bits in BIT_CHOICES], tr("Precision, bits")
        )
        self.block: Segments[int] = Segments(
            [(size, tr("Channel") if size == 0 else str(size)) for size in BLOCK_CHOICES], tr("Block")
        )
        self.symmetric: Segments[bool] = Segments(
            [(True, tr("Symmetric")), (False, tr("Asymmetric"))], tr("Zero point")
        )
        self.hqq = QCheckBox(tr("HQQ, for the whole model"))
        self.hqq.setToolTip(tr("Half-quadratic quantization: the converter looks for a better zero point and scale."))
        self.half = QCheckBox(tr("Store what stays float as fp16"))
        self.reset = button(tr("All layers to the default"), "undo-2", "flat")
        self.bits.chosen.connect(self._set_bits)
        self.block.chosen.connect(self._set_block)
        self.symmetric.chosen.connect(self._set_symmetric)
        self.hqq.clicked.connect(lambda on: self._edit(edits.with_hqq(session.state.plan, on)))
        self.half.clicked.connect(lambda on: self._edit(edits.with_half_floats(session.state.plan, on)))
        self.reset.clicked.connect(lambda: self._edit(edits.with_all_default(session.state.plan)))
        layout.addWidget(self.heading)
        layout.addWidget(self.hint)
        self._lines = {
            "bits": _line(tr("Precision"), self.bits),
            "block": _line(tr("Block"), self.block),
            "symmetric": _line(tr("Zero point"), self.symmetric),
        }
        for line in self._lines.values():
            layout.addWidget(line)
        layout.addWidget(self.hqq)
        layout.addWidget(self.half)
        layout.addWidget(self.reset)

    def show_state(self, state: State) -> None:
        """The selected layers that can be quantized, or the default for all."""
        plan = state.plan
        layers = selected_layers(state)
        quants = [plan.of(node) for node in layers] if layers else [plan.default]
        self.heading.setText(tr("Default of every layer") if not layers else tr("Precision of the selection"))
        mixed = len(set(quants)) > 1
        self.hint.setText(tr("Some values differ (mixed): a choice sets them all."))
        self.hint.setVisible(mixed)
        self.bits.set_value(_common(quants, lambda quant: quant.bits))
        self.block.set_value(_common(quants, lambda quant: quant.block))
        self.symmetric.set_value(_common(quants, lambda quant: quant.symmetric))
        some_integers = any(not quant.is_float for quant in quants)
        self._lines["block"].setEnabled(some_integers)
        self._lines["symmetric"].setEnabled(some_integers and not plan.hqq)
        self.hqq.setChecked(plan.hqq)
        self.half.setChecked(plan.half_floats)
        for widget in (self.hqq, self.half, self.reset):
            widget.setVisible(not layers)
        self.reset.setEnabled(bool(plan.layers))

    def _set_bits(self, bits: int) -> None:
        layers, plan = selected_layers(self._session.state), self._session.state.plan
        self._edit(edits.with_bits(plan, layers, bits) if layers else edits.with_default_bits(plan, bits))

    def _set_block(self, block: int) -> None:
        layers, plan = selected_layers(self._session.state), self._session.state.plan
        self._edit(edits.with_block(plan, layers, block) if layers else edits.with_default_block(plan, block))

    def _set_symmetric(self, symmetric: bool) -> None:
        layers, plan = selected_layers(self._session.state), self._session.state.plan
        if layers:
            self._edit(edits.with_symmetry(plan, layers, symmetric))
        else:
            self._edit(edits.with_default_symmetry(plan, symmetric))

    def _edit(self, edit: edits.Edit) -> None:
        self._session.set_plan(*edit)


def selected_layers(state: State) -> tuple[str, ...]:
    """The selected nodes whose precision can be set."""
    layers = frozenset(state.layers)
    return tuple(node for node in state.selection if node in layers)


def _common(quants: Iterable[LayerQuant], read: Callable[[LayerQuant], Value]) -> Value | None:
    values = {read(quant) for quant in quants}
    return next(iter(values)) if len(values) == 1 else None


def _line(name: str, control: QWidget) -> QWidget:
    line = QWidget()
    layout = row(line)
    label = text_label(name, "hint")
    label.setFixedWidth(theme().px(_LABEL_WIDTH))
    layout.addWidget(label)
    layout.addWidget(control, 1)
    surface(line, "panel")
    return line
