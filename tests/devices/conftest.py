"""Private adb servers and simulated phones, one set a module and a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.adb_server import PrivateAdb, bundled_adb, in_environment, private_adb, simulated_phone, system_adb
from tests.devices.stock import Adb
from workbench.devices.simulated.process import SimulatedPhone


@pytest.fixture(scope="module", params=[system_adb, bundled_adb], ids=["system", "bundled"])
def either_adb(request, tmp_path_factory) -> Iterator[PrivateAdb]:
    """A server of the system's adb, then one of the wheel's."""
    with private_adb(tmp_path_factory.mktemp("adb"), request.param()) as adb:
        yield adb


@pytest.fixture(scope="module")
def phone(either_adb: PrivateAdb) -> Iterator[SimulatedPhone]:
    """A healthy phone on either server, shared by a module's tests."""
    with simulated_phone(either_adb) as phone:
        yield phone


@pytest.fixture(scope="module")
def a(either_adb: PrivateAdb, phone: SimulatedPhone) -> Adb:
    """The adb command, on that phone."""
    return Adb(either_adb, phone.serial)


@pytest.fixture(scope="module")
def adb(tmp_path_factory) -> Iterator[PrivateAdb]:
    """A server of the bundled adb that this process speaks to as well."""
    with private_adb(tmp_path_factory.mktemp("adb")) as private, in_environment(private):
        yield private
