"""Ports and sockets through the stock adb command: forward and reverse."""

from __future__ import annotations

import http.client
import http.server
import os
import socket
import threading
from collections.abc import Iterator
from functools import partial

import pytest

from tests.devices.stock import Adb


@pytest.fixture(scope="module")
def web_port(tmp_path_factory) -> Iterator[int]:
    """A web server with one page, "a", that says x."""
    folder = tmp_path_factory.mktemp("web")
    (folder / "a").write_text("x")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            return

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def get(port: int) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", "/a")
        return connection.getresponse().read()
    finally:
        connection.close()


def test_forward_reaches_a_port_of_the_phone(a: Adb, web_port: int) -> None:
    port = int(a.out("forward", "tcp:0", f"tcp:{web_port}"))
    assert [get(port) for _ in range(8)] == [b"x"] * 8
    assert f"{a.serial} tcp:{port} tcp:{web_port}" in a.adb.run("forward", "--list").stdout.decode()
    a.run("forward", "--remove", f"tcp:{port}")
    with pytest.raises(ConnectionRefusedError):
        get(port)


def test_forward_to_a_port_where_nobody_listens_closes(a: Adb) -> None:
    port = int(a.out("forward", "tcp:0", "tcp:1"))
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        get(port)
    a.run("forward", "--remove", f"tcp:{port}")


def test_forward_reaches_an_abstract_socket(a: Adb) -> None:
    name = f"workbench-test-{os.getpid()}-{a.adb.port}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{name}")
        listener.listen()
        listener.settimeout(20)
        port = int(a.out("forward", "tcp:0", f"localabstract:{name}"))
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            client.sendall(b"yo")
            accepted, _ = listener.accept()
            with accepted:
                accepted.sendall(b"abstract:" + accepted.recv(99))
            answer = b""
            while part := client.recv(99):
                answer += part
    assert answer == b"abstract:yo"
    a.run("forward", "--remove", f"tcp:{port}")


def test_reverse_reaches_a_port_of_the_host(a: Adb, web_port: int) -> None:
    port = int(a.out("reverse", "tcp:0", f"tcp:{web_port}"))
    assert get(port) == b"x"
    assert a.out("reverse", "--list").split()[1:] == [f"tcp:{port}", f"tcp:{web_port}"]
    assert a.run("reverse", "--remove", f"tcp:{port}").returncode == 0
    assert a.out("reverse", "--list") == ""
    assert b"not found" in a.run("reverse", "--remove", f"tcp:{port}").stderr
    assert a.run("reverse", "--remove-all").returncode == 0
