"""Netron beside Workbench: on this computer alone, and only for as long as it is wanted."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.app.netron.page import NetronPage, serve_in_netron
from workbench.app.samples import digits
from workbench.core.errors import EngineError
from workbench.core.steps import Quiet


@pytest.fixture
def page() -> Iterator[NetronPage]:
    page = serve_in_netron(digits().model, Quiet())
    yield page
    page.stop()


def get(page: NetronPage, path: str, host: str = "") -> tuple[http.client.HTTPResponse, bytes]:
    """What a browser gets; ``host`` is the name it thinks it talks to."""
    port = int(page.url.rsplit(":", 1)[1])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{port}"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_the_page_and_the_model_are_served_on_the_loopback_address(page: NetronPage) -> None:
    assert page.url.startswith("http://127.0.0.1:")
    assert b'content="/data/digits.onnx"' in get(page, "/")[1]
    assert get(page, "/data/digits.onnx")[1] == digits().model.read_bytes()


def test_the_browser_is_told_to_connect_to_nothing_else(page: NetronPage) -> None:
    policy = get(page, "/")[0].headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "connect-src 'self' data: blob:;" in policy
    assert "http" not in policy


def test_a_page_of_elsewhere_that_was_bent_to_this_address_is_refused(page: NetronPage) -> None:
    answer, body = get(page, "/data/digits.onnx", host="rebound.example")
    assert answer.status == 403
    assert body == b""


def test_the_server_ends_when_it_is_told_to() -> None:
    page = serve_in_netron(digits().model, Quiet())
    assert page.is_served
    page.stop()
    assert not page.is_served
    assert page.process.returncode == 0
    with pytest.raises(ConnectionRefusedError):
        get(page, "/")


def test_a_model_that_is_gone_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as caught:
        serve_in_netron(tmp_path / "gone.onnx", Quiet())
    assert "Netron did not start" in str(caught.value)
    assert "gone.onnx" in str(caught.value)
