"""The child that serves Netron and one model on 127.0.0.1: ``python -m workbench.app.netron.server MODEL``.

Prints the port on one line and ends when its input does. Nothing that the page holds leaves this
computer: Netron's page asks ipinfo.io where it is and reports its use (netron 9.3.3, browser.js), which
the policy sent with every answer forbids the browser.
"""

from __future__ import annotations

import http.server
import logging
import sys
from http.server import BaseHTTPRequestHandler
from typing import Final

HOST: Final = "127.0.0.1"
POLICY: Final = (
    "default-src 'self' data: blob: 'unsafe-inline'; connect-src 'self' data: blob:;"
    " form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)
"""Of CSP level 3. Netron compiles nothing from elsewhere; its worker and its pictures are blobs."""
_ASKED: Final = "consent=workbench; SameSite=Strict"
"""The cookie that tells the page that its question about cookies was answered: with this policy there are none."""


class GuardedHandler(BaseHTTPRequestHandler):
    """What every answer of the server has; a request that names another host is refused."""

    def parse_request(self) -> bool:
        """A page of elsewhere whose name was bent to this address (DNS rebinding) names itself in Host."""
        if not super().parse_request():
            return False
        port = self.connection.getsockname()[1]
        if self.headers.get("Host") == f"{HOST}:{port}":
            return True
        self.close_connection = True
        self.send_response_only(403)  # send_error logs numbers, which Netron's log_message does not take
        self.send_header("Content-Length", "0")
        self.end_headers()
        return False

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Set-Cookie", _ASKED)
        super().end_headers()


def main(arguments: list[str]) -> int:
    """Serve until stdin ends."""
    logging.basicConfig(level=logging.WARNING)  # or Netron has it tell every start on stderr
    # Netron makes its handler from this class when it is imported, and has no other way to add a header.
    http.server.BaseHTTPRequestHandler = GuardedHandler  # type: ignore[misc]
    import netron  # noqa: PLC0415

    _, port = netron.start(arguments[0], (HOST, 0), browse=False)
    print(port, flush=True)
    sys.stdin.buffer.read()
    netron.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
