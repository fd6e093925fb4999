"""Prepares a checkout: ``.venv``, the system's libraries, the pinned test models.

Runs on any Python from 3.11 with the standard library alone, and again only where something
changed. As root on Debian or Ubuntu it installs what is missing with apt; otherwise it names it
in one line to copy.
"""

from __future__ import annotations

import ctypes.util
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "set-up.sha256"
INPUTS = (
    "pyproject.toml",
    "packaging/constraints.txt",
    "packaging/set_up.py",
    "tests/real_models.py",
    "tests/agent/engines.py",
)
FETCHERS = (("tests.real_models",), ("tests.agent.engines", "--arm64"))

# Debian package: what shows that it is there, a shared library or a program.
QT_LIBRARIES = {
    "libegl1": "EGL",
    "libgl1": "GL",
    "libxkbcommon0": "xkbcommon",
    "libxkbcommon-x11-0": "xkbcommon-x11",
    "libdbus-1-3": "dbus-1",
    "libfontconfig1": "fontconfig",
    "libxcb-cursor0": "xcb-cursor",
    "libxcb-icccm4": "xcb-icccm",
    "libxcb-image0": "xcb-image",
    "libxcb-keysyms1": "xcb-keysyms",
    "libxcb-render-util0": "xcb-render-util",
    "libxcb-shape0": "xcb-shape",
    "libxcb-xkb1": "xcb-xkb",
}
PROGRAMS = {
    "adb": "adb",
    "g++": "g++",
    "binutils": "nm",
    "qemu-user-static": "qemu-aarch64-static",
    "g++-aarch64-linux-gnu": "aarch64-linux-gnu-g++",
}
FONTS = {"fonts-noto-cjk": Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")}


def main() -> int:
    """Set up; returns the exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is what an older Python meets first
        print(f"Workbench needs Python 3.11 or newer; this is {sys.version.split()[0]}.", file=sys.stderr)
        return 2
    wanted = _fingerprint()
    if STAMP.is_file() and STAMP.read_text() == wanted:
        return 0
    if sys.platform == "linux" and not _system():
        return 2
    if not _virtual_environment():
        return 2
    print("Installing packages")
    _pip("install", "--upgrade", "pip")
    _pip("install", "--constraint", str(ROOT / "packaging/constraints.txt"), "--editable", f"{ROOT}[dev]")
    # pip compiles what it copies; this checkout it only points to, and the first window would wait for it.
    subprocess.run([PYTHON, "-m", "compileall", "-q", "workbench"], cwd=ROOT, check=True)
    for fetcher in FETCHERS:
        print(f"Fetching test data: {' '.join(fetcher)}")
        subprocess.run([PYTHON, "-m", *fetcher], cwd=ROOT, check=True)
    STAMP.write_text(wanted)
    return 0


def _fingerprint() -> str:
    digest = hashlib.sha256(sys.version.encode())
    for name in INPUTS:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def _missing_packages() -> list[str]:
    missing = [package for package, library in QT_LIBRARIES.items() if ctypes.util.find_library(library) is None]
    missing += [package for package, program in PROGRAMS.items() if shutil.which(program) is None]
    missing += [package for package, file in FONTS.items() if not file.is_file()]
    try:
        import ensurepip  # noqa: F401, PLC0415 - Debian ships Python without it
    except ImportError:
        missing.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    return missing


def _system() -> bool:
    missing = _missing_packages()
    if not missing:
        return True
    install = f"apt-get install -y --no-install-recommends {' '.join(missing)}"
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        print(f"Missing on this system. On Debian or Ubuntu: sudo {install}", file=sys.stderr)
        return False
    print(f"Installing {' '.join(missing)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], env=environment, check=True)
    subprocess.run(install.split(), env=environment, check=True, stdout=subprocess.DEVNULL)
    return True


def _virtual_environment() -> bool:
    pip = [PYTHON, "-m", "pip", "--version"]
    if PYTHON.exists() and subprocess.run(pip, check=False, stdout=subprocess.DEVNULL).returncode == 0:
        return True
    print(f"Making {VENV.relative_to(ROOT)}")
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=False)
    return made.returncode == 0


def _pip(*arguments: str) -> None:
    subprocess.run([PYTHON, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments], cwd=ROOT, check=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        print(f"Set-up stopped at: {' '.join(map(str, error.cmd))}", file=sys.stderr)
        sys.exit(2)
