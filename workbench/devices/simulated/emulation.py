"""Which programs the phone can run: its own ABI's, through qemu where this computer has another.

The kernel hands an ELF file of another machine to nobody (unless binfmt_misc is set up), so the
command line is looked through for words that start a program lying in the phone's folder. A
program started by another program is out of reach.
"""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.core.abi import host_abi
from workbench.core.errors import DeviceError
from workbench.core.messages import msg

_ELF_MACHINES: Final = {"x86_64": 62, "arm64-v8a": 183}
_EMULATORS: Final = {"x86_64": "qemu-x86_64", "arm64-v8a": "qemu-aarch64"}
_TOKEN: Final = re.compile(r"""(?:[^\s;&|()<>'"\\]|\\.|'[^']*'|"[^"]*")+|&&|\|\||[;&|(<>\n]""", re.DOTALL)
_STARTERS: Final = frozenset({";", "&", "|", "&&", "||", "(", "\n"})
_BEFORE_A_COMMAND: Final = frozenset(
    ("exec", "env", "nohup", "setsid", "command", "time", "then", "do", "else", "if", "while", "until", "{", "!")
)
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")


def find_emulator(abi: str) -> str:
    """The program that runs ``abi`` here, "" where none is needed.

    Raises DeviceError, with what to install, where one is needed and missing.
    """
    if abi == host_abi():
        return ""
    name = _EMULATORS[abi]
    found = shutil.which(f"{name}-static") or shutil.which(name)
    if found is None:
        raise DeviceError(
            msg("This computer cannot run programs of {abi}", abi=abi),
            where=name,
            hint=msg("Install it (Debian, Ubuntu: apt install qemu-user-static), or choose {abi}.", abi=host_abi()),
        )
    return found


@dataclass(frozen=True, slots=True)
class Emulation:
    """``emulator`` "" where programs of ``abi`` run as they are."""

    abi: str
    emulator: str
    root: Path

    def in_command(self, command: str) -> str:
        """A shell command in which programs of the phone's ABI start through the emulator, others are refused."""
        pieces = []
        done = 0
        for begin, end, program in self._programs(command):
            machine = _elf_machine(program)
            if machine is None:
                continue
            word = command[begin:end]
            if machine != _ELF_MACHINES[self.abi]:
                word = _refusal(word)
            elif self.emulator:
                word = f"{shlex.quote(self.emulator)} {word}"
            pieces += [command[done:begin], word]
            done = end
        return "".join([*pieces, command[done:]])

    def _programs(self, command: str) -> list[tuple[int, int, Path]]:
        """Words in a command's place that name a file below ``root``: where they are, and the file."""
        found = []
        cwd = self.root
        expected = "command"
        for token in _TOKEN.finditer(command):
            text = token[0]
            if text in _STARTERS:
                expected = "command"
            elif text in ("<", ">"):
                expected = "file"
            elif expected == "folder":
                cwd = cwd / _unquoted(text)
                expected = "argument"
            elif expected == "command":
                if text in _BEFORE_A_COMMAND or _ASSIGNMENT.match(text) or text.startswith("-"):
                    continue
                expected = "folder" if text == "cd" else "argument"
                path = cwd / _unquoted(text)
                if "/" in text and path.is_relative_to(self.root):
                    found.append((token.start(), token.end(), path))
        return found


def _unquoted(word: str) -> str:
    try:
        return "".join(shlex.split(word))
    except ValueError:  # an open quote: sh will say so
        return word


def _elf_machine(path: Path) -> int | None:
    """``e_machine`` of a 64-bit little-endian ELF file, None for anything else."""
    try:
        with path.open("rb") as file:
            head = file.read(20)
    except OSError:
        return None  # sh says what is wrong with it
    if len(head) < 20 or head[:6] != b"\x7fELF\x02\x01":
        return None
    return int.from_bytes(head[18:20], "little")


def _refusal(word: str) -> str:
    """What Android's shell says of a program for another processor."""
    text = f"/system/bin/sh: {_unquoted(word)}: not executable: 64-bit ELF file"
    return f"sh -c {shlex.quote(f'echo {shlex.quote(text)} >&2; exit 126')}"
