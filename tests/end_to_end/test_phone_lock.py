"""One run a device: who has the lock, who may take it over, on a phone and on this computer alike."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.adb_server import PrivateAdb, in_environment
from tests.end_to_end.phones import Handset
from workbench.core.errors import DeviceError
from workbench.devices.host import HostLink
from workbench.devices.link import Link
from workbench.devices.listing import open_link
from workbench.devices.phone_lock import HostLock, Lock, Owner, ShellLock, phone_lock


@pytest.fixture(params=["phone", "host"])
def link(request, adb: PrivateAdb, phone: Handset, tmp_path: Path) -> Iterator[Link]:
    with in_environment(adb):
        yield open_link(phone.serial) if request.param == "phone" else HostLink(tmp_path / "device")


def lock_of(link: Link) -> Lock:
    link.make_folder(link.folder)
    return HostLock(link) if link.serial == "host" else ShellLock(link)


def left_by(link: Link, owner: Owner) -> None:
    """A lock as ``owner`` leaves it behind."""
    assert lock_of(link).take(str(owner)) == ""


def ended_process() -> Owner:
    """A process of this computer that ran and is gone."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    began = int(psutil.Process(process.pid).create_time())
    process.communicate()
    return Owner("someone", socket.gethostname(), process.pid, began, "abc")


def is_free(link: Link) -> bool:
    with phone_lock(link):
        return True


def test_the_lock_is_gone_afterwards_also_after_a_fault(link: Link) -> None:
    with pytest.raises(ValueError, match="fault"), phone_lock(link):
        raise ValueError("fault")
    assert is_free(link)


def test_a_second_one_is_refused_with_the_name_of_the_first(link: Link) -> None:
    with phone_lock(link), pytest.raises(DeviceError, match=f"process {os.getpid()}") as caught, phone_lock(link):
        pass
    assert f"{link.folder}/lock" in str(caught.value.hint)
    assert is_free(link)


def test_a_refused_one_leaves_the_lock_of_the_first(link: Link) -> None:
    with phone_lock(link):
        for _ in range(2):
            with pytest.raises(DeviceError, match="in use"), phone_lock(link):
                pass


def test_the_lock_of_a_process_that_ended_is_taken_over(link: Link) -> None:
    left_by(link, ended_process())
    assert is_free(link)


def test_the_lock_of_a_process_whose_number_was_given_again_is_taken_over(link: Link) -> None:
    left_by(link, Owner("someone", socket.gethostname(), os.getppid(), 1_000_000, "abc"))
    assert is_free(link)


def test_a_lock_that_this_process_lost_with_the_device_is_taken_over(link: Link) -> None:
    left_by(link, Owner.here())
    assert is_free(link)


def test_the_lock_of_a_living_process_and_of_another_computer_stay(link: Link) -> None:
    parent = psutil.Process(os.getppid())
    living = Owner("someone", socket.gethostname(), parent.pid, int(parent.create_time()), "abc")
    distant = Owner("someone", "elsewhere", 1, 1, "abc")
    for owner in (living, distant):
        left_by(link, owner)
        with pytest.raises(DeviceError, match=f"someone@{owner.computer}, process {owner.pid}"), phone_lock(link):
            pass
        lock_of(link).remove(str(owner))
    assert is_free(link)


def test_a_lock_that_is_anothers_by_now_is_not_removed(link: Link) -> None:
    lock = lock_of(link)
    with phone_lock(link):
        lock.remove(str(ended_process()))
        with pytest.raises(DeviceError, match="in use"), phone_lock(link):
            pass


def test_of_many_at_once_one_has_it(link: Link) -> None:
    have, refused = [], []
    start, done = threading.Barrier(8), threading.Event()

    def contend() -> None:
        start.wait()
        try:
            with phone_lock(link):
                have.append(1)
                done.wait(30)
        except DeviceError as error:
            refused.append(error)
        if len(have) + len(refused) == 8:
            done.set()

    threads = [threading.Thread(target=contend) for _ in range(8)]
    for thread in threads:
        thread.start()
    while len(refused) < 7 and any(thread.is_alive() for thread in threads):
        threads[0].join(0.01)
    done.set()
    for thread in threads:
        thread.join()
    assert (len(have), len(refused)) == (1, 7)
    assert is_free(link)
