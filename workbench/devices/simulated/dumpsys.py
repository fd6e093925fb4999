"""What ``dumpsys`` prints on the phone: the lines of Android 14's services that tools read."""

from __future__ import annotations

from workbench.devices.simulated.climate import PARTS, Climate, status_of


def battery(climate: Climate) -> str:
    """``dumpsys battery``: temperature in tenths of a degree, voltage in mV, charge counter in microampere-hours."""
    return (
        "Current Battery Service state:\n"
        "  AC powered: false\n"
        "  USB powered: true\n"
        "  Wireless powered: false\n"
        "  Max charging current: 900000\n"
        "  Max charging voltage: 5000000\n"
        f"  Charge counter: {round(climate.charge_mah * 1000)}\n"
        f"  status: {2 if climate.current_ma > 0 else 3}\n"
        "  health: 2\n"
        "  present: true\n"
        f"  level: {climate.level}\n"
        "  scale: 100\n"
        f"  voltage: {climate.millivolts}\n"
        f"  temperature: {round(climate.battery_c * 10)}\n"
        "  technology: Li-ion\n"
    )


def thermal(climate: Climate) -> str:
    """``dumpsys thermalservice``. The cached block is what the phone measured when it started."""
    return (
        "IsStatusOverride: false\n"
        "ThermalEventListeners:\n\tcallbacks: 1\n\tkilled: false\n"
        f"Thermal Status: {climate.status}\n"
        f"Cached temperatures:\n{_rows(Climate())}"
        "HAL Ready: true\n"
        "HAL connection:\n\tThermalHAL 2.0 connected: yes\n"
        f"Current temperatures from HAL:\n{_rows(climate)}"
        "Current cooling devices from HAL:\n"
        f"\tCoolingDevice{{mValue={round((1.0 - climate.clock_share) * 20)}, mType=2, mName=thermal-cpufreq-0}}\n"
    )


def thermal_absent() -> str:
    """``dumpsys thermalservice`` of a phone whose maker left the thermal HAL out."""
    return "IsStatusOverride: false\nThermal Status: 0\nCached temperatures:\nHAL Ready: false\n"


def _rows(climate: Climate) -> str:
    return "".join(
        f"\tTemperature{{mValue={value:.1f}, mType={part.kind}, mName={part.name}, mStatus={status_of(value)}}}\n"
        for part, value in zip(PARTS, climate.temperatures, strict=True)
    )
