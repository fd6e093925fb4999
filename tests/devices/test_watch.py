"""Phones that come, go and change are noticed while the window is open."""

from __future__ import annotations

import queue

from tests.adb_server import PrivateAdb, in_environment, private_adb, simulated_phone, wait_for_state
from workbench.core.device import DeviceState
from workbench.devices.listing import Seen
from workbench.devices.simulated.options import Faults, PhoneOptions
from workbench.devices.watch import DeviceWatch


def states(seen: Seen) -> list[str]:
    return [device.state.value for device in seen.devices[1:]]


def until(changes: queue.Queue[Seen], wanted: list[str]) -> None:
    while states(changes.get(timeout=30)) != wanted:
        continue


def test_coming_and_going_is_noticed(adb: PrivateAdb) -> None:
    changes: queue.Queue[Seen] = queue.Queue()
    watch = DeviceWatch(changes.put)
    watch.start()
    try:
        until(changes, [])
        with simulated_phone(adb) as phone:
            until(changes, ["device"])
            phone.unplug()
            until(changes, [])
            phone.replug()
            until(changes, ["device"])
        until(changes, [])
    finally:
        watch.stop()
    assert changes.empty()


def test_an_accepted_prompt_is_noticed(adb: PrivateAdb) -> None:
    changes: queue.Queue[Seen] = queue.Queue()
    watch = DeviceWatch(changes.put)
    watch.start()
    try:
        with simulated_phone(adb, PhoneOptions(faults=Faults(authorize_after=3600.0))) as phone:
            until(changes, [DeviceState.UNAUTHORIZED.value])
            phone.authorize()
            until(changes, ["device"])
    finally:
        watch.stop()


def test_a_server_that_comes_back_is_watched_again(tmp_path) -> None:
    with private_adb(tmp_path) as adb, in_environment(adb), simulated_phone(adb) as phone:
        changes: queue.Queue[Seen] = queue.Queue()
        watch = DeviceWatch(changes.put)
        watch.start()
        try:
            until(changes, ["device"])
            adb.stop_server()
            adb.start_server()
            wait_for_state(adb, phone.serial, "device")
            phone.unplug()
            until(changes, [])
            phone.replug()
            until(changes, ["device"])
        finally:
            watch.stop()


def test_a_watch_without_changes_stops_at_once(adb: PrivateAdb) -> None:
    watch = DeviceWatch(lambda seen: None)
    watch.start()
    watch.stop()
