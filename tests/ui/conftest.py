"""The window's tests run without a display, with the fonts, icons and colours that users see."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
from PySide6.QtWidgets import QApplication

from workbench.ui.text import set_translator
from workbench.ui.theme.apply import apply_theme


@pytest.fixture(scope="session")
def settled() -> None:
    """What is there before the first window is not looked at again by each test's collection."""
    gc.freeze()


@pytest.fixture(autouse=True)
def garbage(settled: None) -> Iterator[None]:
    """Widgets are collected on this thread, after each test: see ``workbench/ui/collector.py``."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def light(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test that has a window begins in English and in the light theme, nothing moving."""
    set_translator(str)
    if "qapp" in request.fixturenames:
        apply_theme(request.getfixturevalue("qapp"), "light", motion=False)
    yield
    set_translator(str)


@pytest.fixture
def app(qapp: QApplication) -> QApplication:
    """The application, dressed."""
    return qapp
