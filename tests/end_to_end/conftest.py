"""An adb server, a phone and the command line, one set a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.adb_server import PrivateAdb, private_adb, simulated_phone
from tests.end_to_end.command import Workbench
from tests.end_to_end.phones import Handset
from workbench.app import samples
from workbench.devices.simulated.options import Faults, PhoneOptions


@pytest.fixture(scope="session")
def adb(tmp_path_factory) -> Iterator[PrivateAdb]:
    with private_adb(tmp_path_factory.mktemp("adb")) as adb:
        yield adb


@pytest.fixture(scope="session")
def phone(adb: PrivateAdb) -> Iterator[Handset]:
    """A healthy phone. Whoever breaks it mends it."""
    with simulated_phone(adb) as phone:
        yield Handset(adb, phone)


@pytest.fixture(scope="session")
def artifact(adb: PrivateAdb, tmp_path_factory) -> Path:
    """The sample, converted."""
    folder = tmp_path_factory.mktemp("artifact")
    made = workbench_in(adb, folder)("convert", samples.digits().model, "-o", "digits.mnn")
    assert made.code == 0, made.err
    return folder / "digits.mnn"


@pytest.fixture
def workbench(adb: PrivateAdb, tmp_path: Path) -> Iterator[Workbench]:
    """The command line in ``tmp_path``; its temporary files lie in ``tmp_path``/tmp."""
    with closing(workbench_in(adb, tmp_path)) as workbench:
        yield workbench


@pytest.fixture
def faulty_phone(adb: PrivateAdb) -> Iterator[Callable[..., Handset]]:
    """Phones of a test's own, with faults."""
    with ExitStack() as stack:

        def make(**faults: float | bool) -> Handset:
            options = PhoneOptions(faults=Faults(**faults))
            return Handset(adb, stack.enter_context(simulated_phone(adb, options)))

        yield make


def workbench_in(adb: PrivateAdb, folder: Path) -> Workbench:
    (folder / "tmp").mkdir()
    env = {**adb.env, "TMPDIR": str(folder / "tmp"), "WORKBENCH_HOME": str(folder / "home")}
    return Workbench(env, folder)
