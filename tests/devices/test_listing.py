"""What is listed, chosen and said of devices that are not ready."""

from __future__ import annotations

import socketserver
import threading

import pytest

from tests.adb_server import PrivateAdb, in_environment, private_adb, simulated_phone, wait_for_state
from tests.devices.transcripts import transcript
from workbench.core.device import DeviceState
from workbench.core.errors import DeviceError
from workbench.devices.adb import Properties
from workbench.devices.adb_binary import find_adb, wheel_adb
from workbench.devices.listing import Entry, choose, list_devices, look, merge, open_link, parse_entries
from workbench.devices.server import AdbServer
from workbench.devices.simulated.options import Faults, PhoneOptions
from workbench.devices.simulated.process import start_simulated


def test_a_serial_may_hold_anything_and_a_state_two_words() -> None:
    (entry,) = parse_entries(transcript("no-permissions-udev")[0].stdout)
    assert (entry.serial, entry.state) == ("????????????", DeviceState.NO_PERMISSIONS)
    assert "udev" in str(entry.device().hint)


def test_states_follow_each_other_as_adb_tells_them() -> None:
    polls = [parse_entries(said.stdout) for said in transcript("authorizing-then-offline-then-device")]
    assert [poll[0].state for poll in polls] == [DeviceState.AUTHORIZING, DeviceState.OFFLINE, DeviceState.READY]
    assert [poll[0].device().hint is None for poll in polls] == [False, False, True]
    assert polls[2][0].model == "SM S908B"


def test_an_unauthorized_phone_says_to_accept_the_prompt() -> None:
    (entry,) = parse_entries(transcript("unauthorized")[0].stdout)
    assert entry.state is DeviceState.UNAUTHORIZED
    assert "Allow USB debugging" in str(entry.device().hint)


def test_other_states_of_adb_are_known_lines() -> None:
    told = "a\trecovery usb:1\n(no serial number)\tno permissions; see [x] usb:2\nb  connecting\nc  weird\n"
    assert [entry.serial for entry in parse_entries(told)] == ["a", "(no serial number)", "b"]


def properties(serial_number: str) -> Properties:
    return Properties(serial_number, "SM-S908B", "arm64-v8a", "14", simulated=False)


def test_one_phone_over_usb_and_tcp_is_one_device() -> None:
    listed = parse_entries(transcript("two-devices-no-serial")[0].stdout)
    numbers = ["R58M123ABC", "R58M123ABC", "EMULATOR"]
    phones = merge(
        (entry, properties(number)) for entry, number in zip(reversed(listed), reversed(numbers), strict=True)
    )
    assert [(phone.device.serial, set(phone.serials)) for phone in phones] == [
        ("emulator-5554", {"emulator-5554"}),
        ("R58M123ABC", {"R58M123ABC", "192.168.1.20:5555"}),
    ]


def test_phones_without_a_serial_number_stay_apart() -> None:
    listed = [Entry(serial, DeviceState.READY, "x") for serial in ("a", "b")]
    assert len(merge((entry, properties("")) for entry in listed)) == 2


def test_this_computer_is_first_and_the_only_phone_is_chosen(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as phone:
        host, device = list_devices()
        assert (host.serial, host.is_ready) == ("host", True)
        assert (device.serial, device.model, device.state) == (phone.serial, "Simulated phone", DeviceState.READY)
        assert device.simulated
        assert choose(None) == device == choose(phone.serial)
        assert open_link(None).serial == phone.serial
    assert [one.serial for one in list_devices()] == ["host"]


def test_one_phone_under_two_addresses_answers_to_both(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as phone:
        alias = phone.serial.replace("127.0.0.1", "localhost")
        adb.run("connect", alias)
        wait_for_state(adb, alias, "device")
        assert len(list_devices()) == 2
        assert choose(None).serial in (alias, phone.serial)
        assert choose(alias).serial == alias
        adb.run("disconnect", alias)


def test_several_phones_and_none_named_is_an_error_that_names_them(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as one, simulated_phone(adb) as other:
        with pytest.raises(DeviceError) as caught:
            choose(None)
        assert one.serial in str(caught.value.hint)
        assert other.serial in str(caught.value.hint)
        assert choose(other.serial).serial == other.serial


def test_no_phone_and_an_unknown_one_are_errors_with_a_way_out(adb: PrivateAdb) -> None:
    with pytest.raises(DeviceError, match="No phone is connected") as none:
        choose(None)
    assert "--device host" in str(none.value.hint)
    with pytest.raises(DeviceError, match="no such device") as unknown:
        choose("R58M123ABC")
    assert "host" in str(unknown.value.hint)
    assert choose("host").serial == "host"


def test_a_phone_that_is_not_ready_is_listed_with_its_state_and_refused(adb: PrivateAdb) -> None:
    with simulated_phone(adb, PhoneOptions(faults=Faults(unauthorized=True))) as phone:
        wait_for_state(adb, phone.serial, "unauthorized")
        assert [one.state for one in list_devices()] == [DeviceState.READY, DeviceState.UNAUTHORIZED]
        with pytest.raises(DeviceError, match="unauthorized") as caught:
            choose(phone.serial)
        assert "Allow USB debugging" in str(caught.value.hint)
        with simulated_phone(adb) as ready:
            assert choose(None).serial == ready.serial


def test_a_server_that_is_missing_is_started_and_one_that_listens_is_kept(tmp_path) -> None:
    with private_adb(tmp_path) as adb, in_environment(adb):
        before = adb.server_process().pid
        list_devices()
        assert adb.server_process().pid == before
        adb.stop_server()
        assert [one.serial for one in list_devices()] == ["host"]
        assert adb.server.listens()


def test_without_any_adb_this_computer_is_listed_and_the_way_out_told(tmp_path, monkeypatch) -> None:
    with private_adb(tmp_path) as adb, in_environment(adb):
        adb.stop_server()
        monkeypatch.delenv("ADBUTILS_ADB_PATH")
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr("workbench.devices.adb_binary.wheel_adb", lambda: None)
        seen = look(AdbServer())
        assert [one.serial for one in seen.devices] == ["host"]
        assert "no adb" in str(seen.problem)
        assert "platform-tools" in str(seen.hint)


def test_adb_is_looked_for_in_order(tmp_path) -> None:
    for folder in ("named", "sdk/platform-tools", "path"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "adb").touch(0o755)
    env = {
        "ADBUTILS_ADB_PATH": str(tmp_path / "named" / "adb"),
        "ANDROID_HOME": str(tmp_path / "sdk"),
        "PATH": str(tmp_path / "path"),
    }
    found = []
    for name in ("ADBUTILS_ADB_PATH", "ANDROID_HOME", "PATH"):
        found.append(find_adb(env).relative_to(tmp_path).parts[0])
        env[name] = ""
    assert found == ["named", "sdk", "path"]
    assert find_adb(env) == wheel_adb()


def test_what_is_not_an_adb_server_is_told(monkeypatch) -> None:
    class Greeter(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(b"SSH-2.0-other\r\n")
            self.request.recv(100)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Greeter) as other:
        threading.Thread(target=other.serve_forever).start()
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(other.server_address[1]))
        try:
            with pytest.raises(DeviceError, match="not an adb server") as caught:
                list_devices()
            assert "ANDROID_ADB_SERVER_PORT" in str(caught.value.hint)
            with pytest.raises(DeviceError, match="not an adb server"):
                start_simulated()
        finally:
            other.shutdown()


def test_a_port_that_is_none_is_told(monkeypatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "many")
    with pytest.raises(DeviceError, match="not a port"):
        AdbServer()
