"""The precision of the selection, by key, by click and from the menu; undone and redone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.ui.window.conftest import Driver
from workbench.core.plan import FLOAT, LayerQuant
from workbench.ui.inspector.precision import PrecisionPart
from workbench.ui.step import Step

ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def quantizing(driver: Driver) -> Driver:
    driver.open()
    driver.window.show_step(Step.QUANTIZE)
    return driver


def part(driver: Driver) -> PrecisionPart:
    return driver.window.workspace.inspector.precision


@pytest.mark.parametrize(("key", "bits"), [("8", 8), ("6", 6), ("4", 4), ("3", 3), ("2", 2)])
def test_alt_and_a_digit_set_the_bits_of_every_selected_layer(quantizing: Driver, key: str, bits: int) -> None:
    layers = quantizing.state.layers
    quantizing.shell.session.select(layers[:2])
    quantizing.key(Qt.Key(ord(key)), ALT)
    assert [quantizing.state.plan.of(node).bits for node in layers] == [bits, bits, 0, 0]


def test_alt_f_keeps_a_layer_float(quantizing: Driver) -> None:
    quantizing.shell.session.select(quantizing.state.layers)
    quantizing.key(Qt.Key.Key_4, ALT)
    quantizing.shell.session.select(quantizing.state.layers[:1])
    quantizing.key(Qt.Key.Key_F, ALT)
    assert quantizing.state.plan.of(quantizing.state.layers[0]) == FLOAT
    assert quantizing.state.plan.of(quantizing.state.layers[1]) == LayerQuant(4)


def test_undo_and_redo_name_what_they_take_back(quantizing: Driver) -> None:
    quantizing.shell.session.select(quantizing.state.layers[:2])
    quantizing.key(Qt.Key.Key_4, ALT)
    changed = quantizing.state.plan
    assert quantizing.window.commands["undo"].text() == "Undo: Set 2 layers to 4 bit"
    quantizing.key(Qt.Key.Key_Z, CONTROL)
    assert quantizing.state.plan.is_float
    assert quantizing.window.commands["redo"].text() == "Redo: Set 2 layers to 4 bit"
    quantizing.key(Qt.Key.Key_Z, CONTROL | SHIFT)
    assert quantizing.state.plan == changed


def test_the_inspector_edits_all_and_says_mixed_where_they_differ(quantizing: Driver) -> None:
    layers = quantizing.state.layers
    quantizing.shell.session.select(layers[:1])
    quantizing.click(part(quantizing).bits.button(4))
    quantizing.shell.session.select(layers)
    assert part(quantizing).bits.value() is None
    assert "mixed" in part(quantizing).hint.text()
    quantizing.click(part(quantizing).bits.button(8))
    assert {quantizing.state.plan.of(node).bits for node in layers} == {8}
    quantizing.click(part(quantizing).block.button(64))
    quantizing.click(part(quantizing).symmetric.button(True))
    assert {quantizing.state.plan.of(node) for node in layers} == {LayerQuant(8, True, 64)}


def test_with_nothing_selected_the_default_is_edited(quantizing: Driver) -> None:
    quantizing.click(part(quantizing).bits.button(8))
    assert quantizing.state.plan.default == LayerQuant(8)
    assert quantizing.state.plan.layers == {}
    quantizing.click(part(quantizing).hqq)
    quantizing.click(part(quantizing).half)
    assert quantizing.state.plan.hqq
    assert quantizing.state.plan.half_floats


def test_a_float_layer_has_no_block_to_set(quantizing: Driver) -> None:
    quantizing.shell.session.select(quantizing.state.layers[:1])
    assert not part(quantizing).block.isEnabled()
    quantizing.click(part(quantizing).bits.button(8))
    assert part(quantizing).block.isEnabled()


def test_the_forecast_follows_the_plan(quantizing: Driver) -> None:
    forecast = quantizing.window.workspace.inspector.forecast
    quantizing.wait(lambda: forecast.value.text() == "128 KB")
    quantizing.shell.session.select(quantizing.state.layers)
    quantizing.key(Qt.Key.Key_8, ALT)
    quantizing.wait(lambda: forecast.value.text() == "32.0 KB")
    assert forecast.caption.fact.text() == "estimate from the weights"


def test_the_plan_chip_and_the_answer_say_what_is_chosen(quantizing: Driver) -> None:
    quantizing.shell.session.select(quantizing.state.layers[:1])
    quantizing.key(Qt.Key.Key_4, ALT)
    assert quantizing.window.workspace.graph_page.answer.sentence.text() == "4 layers: 1 at 4 bit, 3 float"
    assert quantizing.window.topbar.crumbs.plan.badge().text == "Mixed: 4 bit and float"


def test_an_op_without_weights_has_no_precision(quantizing: Driver) -> None:
    relu = "/block0/act/Relu_output_0"
    quantizing.shell.session.select((relu,))
    assert not part(quantizing).isVisible()
    quantizing.key(Qt.Key.Key_4, ALT)
    assert quantizing.state.plan.is_float
