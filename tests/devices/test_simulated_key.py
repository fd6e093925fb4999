"""Who may speak to the simulated phone: holders of this user's adb key."""

from __future__ import annotations

import base64
import os
import struct
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA1

from workbench.devices.simulated.auth import Lock, key_files, parse_key


@pytest.fixture(scope="module")
def private_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public_line(key: rsa.RSAPrivateKey) -> bytes:
    """As adb writes adbkey.pub."""
    numbers = key.public_key().public_numbers()
    n0inv = -pow(numbers.n, -1, 1 << 32) % (1 << 32)
    rr = pow(1 << 2048, 2, numbers.n)
    raw = struct.pack("<II", 64, n0inv) + numbers.n.to_bytes(256, "little") + rr.to_bytes(256, "little")
    return base64.b64encode(raw + struct.pack("<I", numbers.e)) + b" somebody@somewhere\n"


def signed(key: rsa.RSAPrivateKey, token: bytes) -> bytes:
    return key.sign(token, padding.PKCS1v15(), Prehashed(SHA1()))  # noqa: S303 - what adb does


@pytest.fixture
def lock(private_key: rsa.RSAPrivateKey, tmp_path: Path) -> Lock:
    (tmp_path / "adbkey.pub").write_bytes(public_line(private_key))
    lock = Lock((tmp_path / "adbkey.pub", tmp_path / "none"))
    lock.granted.set()
    return lock


def test_the_users_signature_opens(lock: Lock, private_key: rsa.RSAPrivateKey) -> None:
    token = os.urandom(20)
    assert lock.opens_by_signature(signed(private_key, token), token)


def test_signatures_that_are_not_quite_right_do_not_open(lock: Lock, private_key: rsa.RSAPrivateKey) -> None:
    token = os.urandom(20)
    good = signed(private_key, token)
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    for bad, over in (
        (signed(stranger, token), token),
        (good, os.urandom(20)),
        (good, b""),
        (good[:-1] + bytes([good[-1] ^ 1]), token),
        (good[1:], token),
        (bytes(256), token),
        (b"\xff" * 256, token),
        (b"", token),
    ):
        assert not lock.opens_by_signature(bad, over)


def test_a_phone_that_was_not_asked_yet_opens_to_nobody(lock: Lock, private_key: rsa.RSAPrivateKey) -> None:
    token = os.urandom(20)
    lock.granted.clear()
    assert not lock.opens_by_signature(signed(private_key, token), token)
    refusing = Lock(lock.files, refuses=True)
    refusing.granted.set()
    assert not refusing.opens_by_signature(signed(private_key, token), token)


def test_only_the_users_own_key_may_be_accepted_at_the_prompt(lock: Lock, private_key: rsa.RSAPrivateKey) -> None:
    own = parse_key(public_line(private_key) + b"\0")
    stranger = parse_key(public_line(rsa.generate_private_key(public_exponent=65537, key_size=2048)))
    assert own is not None
    assert stranger is not None
    assert lock.knows(own)
    assert not lock.knows(stranger)


@pytest.mark.parametrize("line", [b"", b"\0", b"not base64!", base64.b64encode(b"short"), base64.b64encode(bytes(524))])
def test_what_is_no_key_is_none(line: bytes) -> None:
    assert parse_key(line) is None


def test_the_key_is_looked_for_where_adb_may_keep_it() -> None:
    env = {"ANDROID_USER_HOME": "/u", "ANDROID_SDK_HOME": "/s"}
    assert [str(file) for file in key_files(env, Path("/h"))] == [
        "/u/adbkey.pub",
        "/s/.android/adbkey.pub",
        "/h/.android/adbkey.pub",
    ]
