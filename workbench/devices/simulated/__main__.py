"""``python -m workbench.devices.simulated``: one simulated phone, until it is told to stop."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from workbench.core.errors import WorkbenchError
from workbench.devices.simulated.options import ABIS, SCHEMA, PhoneOptions, fault_help, parse_faults
from workbench.devices.simulated.serve import serve


def main(argv: Sequence[str] | None = None) -> int:
    """Parse ``argv``, serve, and tell an error as the last line: JSON on stdout, or words on stderr."""
    parser = argparse.ArgumentParser(
        prog="python -m workbench.devices.simulated",
        description="A simulated phone, connected to the adb server (ANDROID_ADB_SERVER_PORT is honoured).",
        epilog=f"faults:\n{fault_help()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--abi", choices=ABIS, default="", help="processor of the phone (default: this computer's)")
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: a free one)")
    parser.add_argument("--fault", action="append", default=[], metavar="NAME=VALUE", help="see below; repeatable")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the serial")
    parser.add_argument("--until-eof", action="store_true", help="stop when stdin ends; obey its lines")
    options = parser.parse_args(argv)
    try:
        phone = PhoneOptions(options.abi, options.port, parse_faults(options.fault))
        return serve(phone, as_json=options.json, until_eof=options.until_eof)
    except WorkbenchError as error:
        if options.json:
            told = {
                "kind": error.kind.value,
                "where": error.where,
                "what": str(error.what),
                "hint": str(error.hint) if error.hint else None,
            }
            print(json.dumps({"schema": SCHEMA, "error": told}), flush=True)
        else:
            print(error, file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
