"""Netron from the window: a page in the browser when a person asks for it, and no longer than the program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from tests.ui.window.conftest import Driver


class Browser(QObject):
    """Takes the place of the desktop's browser."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    @Slot(QUrl)
    def show(self, url: QUrl) -> None:
        self.shown.append(url.toString())


@pytest.fixture
def browser() -> Iterator[Browser]:
    browser = Browser()
    QDesktopServices.setUrlHandler("http", browser, "show")
    yield browser
    QDesktopServices.unsetUrlHandler("http")


def test_the_browser_opens_only_when_a_person_asks(driver: Driver, browser: Browser) -> None:
    driver.open()
    assert browser.shown == []
    assert not driver.fake.pages
    driver.window.commands["open-netron"].trigger()
    driver.wait(lambda: browser.shown)
    assert browser.shown == ["http://127.0.0.1:4000"]
    driver.window.commands["open-netron"].trigger()
    driver.wait(lambda: len(browser.shown) == 2)
    assert len(driver.fake.pages) == 1


def test_the_server_is_ended_with_the_program(driver: Driver, browser: Browser) -> None:
    driver.open()
    driver.window.commands["open-netron"].trigger()
    driver.wait(lambda: browser.shown)
    assert driver.fake.pages[0].is_served
    driver.shell.close()
    assert not driver.fake.pages[0].is_served


def test_without_a_model_there_is_nothing_to_show(driver: Driver) -> None:
    assert not driver.window.commands["open-netron"].isEnabled()
