"""Who may speak to the phone: holders of this user's adb key, as on a phone that trusts one computer.

The host signs a random 20-byte token with RSA PKCS#1 v1.5 as if it were a SHA-1 digest. Public
keys are lines of base64 over the structure of AOSP's libcrypto_utils (android_pubkey.cpp): word
count, n0inv, modulus, R^2, exponent; little-endian. RFC 8017, 8.2.2 and 9.2: the encoded message.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

TOKEN_BYTES: Final = 20
_MODULUS_BYTES: Final = 256
_KEY: Final = struct.Struct(f"<II{_MODULUS_BYTES}s{_MODULUS_BYTES}sI")
# DER of DigestInfo { SHA-1, NULL } up to the digest (RFC 8017, 9.2, note 1).
_SHA1_PREFIX: Final = bytes.fromhex("3021300906052b0e03021a05000414")


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An RSA key of 2048 bits."""

    modulus: int
    exponent: int

    def verifies(self, signature: bytes, token: bytes) -> bool:
        """True where ``signature`` was made over ``token`` with this key's private half."""
        number = int.from_bytes(signature, "big")
        if len(signature) != _MODULUS_BYTES or len(token) != TOKEN_BYTES or number >= self.modulus:
            return False
        digest = _SHA1_PREFIX + token
        padding = b"\xff" * (_MODULUS_BYTES - len(digest) - 3)
        expected = b"\x00\x01" + padding + b"\x00" + digest
        return pow(number, self.exponent, self.modulus).to_bytes(_MODULUS_BYTES, "big") == expected


def parse_key(line: bytes) -> PublicKey | None:
    """The key in a line of ``adbkey.pub`` or in an AUTH message, None where it is none."""
    words = line.rstrip(b"\0").split()
    if not words:
        return None
    try:
        raw = base64.b64decode(words[0], validate=True)
    except binascii.Error:
        return None
    if len(raw) != _KEY.size:
        return None
    count, _, modulus, _, exponent = _KEY.unpack(raw)
    if count * 4 != _MODULUS_BYTES:
        return None
    return PublicKey(int.from_bytes(modulus, "little"), exponent)


def key_files(env: Mapping[str, str], home: Path) -> tuple[Path, ...]:
    """Where adb may keep this user's public key: adb 36 and 29 use the last, Android Studio sets the others."""
    folders = [home / ".android"]
    if sdk_home := env.get("ANDROID_SDK_HOME"):
        folders.insert(0, Path(sdk_home) / ".android")
    if user_home := env.get("ANDROID_USER_HOME"):
        folders.insert(0, Path(user_home))
    return tuple(folder / "adbkey.pub" for folder in folders)


def _trusted_keys(files: tuple[Path, ...]) -> tuple[PublicKey, ...]:
    """The keys in those of ``files`` that exist, read anew: adb makes them when its server first starts."""
    keys = (parse_key(file.read_bytes()) for file in files if file.is_file())
    return tuple(key for key in keys if key is not None)


@dataclass(frozen=True, slots=True)
class Lock:
    """Opens for the keys in ``files``, once ``granted``; never where it ``refuses`` everybody."""

    files: tuple[Path, ...]
    refuses: bool = False
    granted: asyncio.Event = field(default_factory=asyncio.Event)

    def knows(self, key: PublicKey) -> bool:
        """True where the prompt for this key may be accepted: it is this user's."""
        return not self.refuses and key in _trusted_keys(self.files)

    def opens_by_signature(self, signature: bytes, token: bytes) -> bool:
        """True where the phone remembers the key that made ``signature``."""
        if self.refuses or not self.granted.is_set():
            return False
        return any(key.verifies(signature, token) for key in _trusted_keys(self.files))
