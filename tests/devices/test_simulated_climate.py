"""The simulated phone's readings: temperatures, clocks, battery."""

from __future__ import annotations

import pytest

from tests.adb_server import PrivateAdb, simulated_phone
from tests.waiting import wait_until
from workbench.devices.link import Link, Program
from workbench.devices.listing import open_link
from workbench.devices.simulated.climate import PARTS, Climate


def test_work_warms_the_phone_and_rest_cools_it() -> None:
    cold = Climate()
    hot = cold
    for _ in range(120):
        hot = hot.after(0.5, 2.0)
    assert all(after > before for after, before in zip(hot.temperatures, cold.temperatures, strict=True))
    cpu = [part.kind == 0 for part in PARTS].index(True)
    assert hot.temperatures[cpu] - cold.temperatures[cpu] > 20
    rested = hot
    for _ in range(120):
        rested = rested.after(0.5, 0.0)
    assert rested.temperatures[cpu] < hot.temperatures[cpu] - 20


def test_the_step_does_not_change_where_the_temperature_goes() -> None:
    fine = coarse = Climate()
    for _ in range(100):
        fine = fine.after(0.1, 1.0)
    for _ in range(20):
        coarse = coarse.after(0.5, 1.0)
    assert fine.temperatures == pytest.approx(coarse.temperatures, abs=0.1)


def test_an_idle_phone_is_not_a_constant() -> None:
    climate = Climate()
    seen = set()
    for _ in range(20):
        climate = climate.after(1.0, 0.0)
        seen.add(round(climate.temperatures[0], 3))
    assert len(seen) == 20


def test_a_hot_phone_throttles_and_says_so() -> None:
    climate = Climate()
    for _ in range(240):
        climate = climate.after(0.5, 4.0)
    assert climate.clock_share < 1.0
    assert climate.status > 0
    assert Climate().clock_share == 1.0
    assert Climate().status == 0


def test_the_battery_charges_at_rest_and_empties_at_work() -> None:
    assert Climate().after(3600.0, 0.0).level > Climate().level
    assert Climate().after(3600.0, 2.0).level < Climate().level
    assert Climate().after(1e6, 8.0).level == 0


def hal_cpu(link: Link) -> float:
    told = link.shell("dumpsys thermalservice").stdout
    block = told.partition("Current temperatures from HAL:\n")[2]
    return float(block.partition("mValue=")[2].partition(",")[0])


def test_a_program_that_works_warms_the_phone(adb: PrivateAdb) -> None:
    with simulated_phone(adb) as phone:
        link = open_link(phone.serial)
        cold_hal, cold_zone = hal_cpu(link), int(link.shell("cat /sys/class/thermal/thermal_zone0/temp").stdout)
        running = link.start(Program(("sh", "-c", "while :; do :; done")))
        zone = "cat /sys/class/thermal/thermal_zone0/temp"
        wait_until(lambda: int(link.shell(zone).stdout) > cold_zone + 2000, "the zone to warm by 2 degrees")
        assert hal_cpu(link) > cold_hal + 1.0
        assert int(link.shell("cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq").stdout) > 300_000
        running.kill()
        running.wait()
        assert link.shell("cat /proc/meminfo").stdout.startswith("MemTotal:")
        assert "Cached temperatures" in link.shell("dumpsys thermalservice").stdout
        assert link.shell("dumpsys wifi").code != 0
