"""Devices: listed with their state and hint, chosen, started, connected."""

from __future__ import annotations

import threading

from tests.ui.window.conftest import Start
from tests.ui.window.fakes import HOST, LOCKED, PIXEL, FakeWork
from workbench.core.errors import DeviceError
from workbench.core.messages import msg


def test_each_device_is_a_line_with_its_state_or_the_way_to_it(start: Start) -> None:
    driver = start(FakeWork(devices=(HOST, PIXEL, LOCKED)))
    lines = driver.window.start_page.devices.lines()
    told = [(line.accessibleName(), line.accessibleDescription(), line.isEnabled()) for line in lines]
    assert told == [
        ("This computer", "x86_64", True),
        ("Pixel 8", "arm64-v8a, Android 15, 39211FDJH0", True),
        ("SM-S911B", "Unlock the phone and accept its prompt.", False),
    ]


def test_a_device_is_chosen_by_a_click_and_shown_in_the_top_bar(start: Start) -> None:
    driver = start(FakeWork(devices=(HOST, PIXEL)))
    driver.open()
    driver.window.show_start()
    driver.click(driver.window.start_page.devices.lines()[0])
    assert driver.state.chosen_device == HOST
    assert driver.window.topbar.device.name.text() == "This computer"


def test_the_device_menu_marks_the_choice_and_closes_what_is_not_ready(start: Start) -> None:
    driver = start(FakeWork(devices=(HOST, PIXEL, LOCKED)))
    driver.open()
    menu = driver.window.topbar.device.menu()
    menu.aboutToShow.emit()
    entries = [(action.text(), action.isChecked(), action.isEnabled()) for action in menu.actions()[:3]]
    assert entries == [
        ("This computer, host", False, True),
        ("Pixel 8, 39211FDJH0", True, True),
        ("SM-S911B, Not authorized", False, False),
    ]
    menu.actions()[0].trigger()
    assert driver.state.device == "host"


def test_why_no_phone_can_be_seen_is_said(start: Start) -> None:
    driver = start(FakeWork(devices=(HOST,), problem=msg("adb was not found")))
    assert driver.window.start_page.devices.problem.isVisible()
    assert driver.window.start_page.devices.problem.text() == "adb was not found"


def test_a_phone_that_starts_says_so_on_its_button(start: Start) -> None:
    gate = threading.Event()
    driver = start(FakeWork(hold={"phone": gate}))
    devices = driver.window.start_page.devices
    driver.click(devices.start_button)
    driver.wait(lambda: devices.start_button.text() == "Starting a simulated phone")
    assert not devices.start_button.isEnabled()
    gate.set()
    driver.wait(devices.start_button.isEnabled)
    assert driver.state.device == "localhost:16001"
    driver.wait(lambda: devices.lines()[-1].accessibleName() == "Simulated phone")


def test_an_address_that_does_not_answer_offers_another(start: Start) -> None:
    refused = DeviceError(msg("The phone could not be connected"), where="10.0.0.9:5555")
    driver = start(FakeWork(errors={"connect": refused}))
    driver.answers.text = "10.0.0.9:5555"
    driver.click(driver.window.start_page.devices.connect_button)
    driver.wait(driver.window.error_bar.isVisible)
    assert driver.window.error_bar.remedy_button.text() == "Use another address"
    del driver.fake.errors["connect"]
    driver.click(driver.window.error_bar.remedy_button)
    driver.wait(lambda: driver.state.device == "10.0.0.9:5555")
    assert not driver.window.error_bar.isVisible()
