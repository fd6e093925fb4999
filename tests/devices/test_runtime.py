from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.device import Device, DeviceState
from workbench.core.errors import DeviceError
from workbench.core.places import resources
from workbench.devices import runtime
from workbench.devices.runtime import host_runtime, runtime_for

FOLDER = f"linux-{platform.machine()}"


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shipped agent that a test may change."""
    folder = tmp_path / "agent" / FOLDER
    shutil.copytree(resources() / "agent" / FOLDER, folder)
    monkeypatch.setattr(runtime, "resources", lambda: tmp_path)
    return folder


def test_the_runtime_is_the_agent_and_the_installed_engine() -> None:
    found = host_runtime()
    names = [parcel.name for parcel in found.parcels]
    assert names[:3] == ["agent", "libpystub.so", "libmnnengine.so"]
    assert all(name.startswith("libgomp-") for name in names[3:])
    assert (found.program, found.version, found.abi) == ("agent", importlib.metadata.version("mnn"), "x86_64")
    for parcel in found.parcels:
        assert parcel.sha256 == hashlib.sha256(parcel.local.read_bytes()).hexdigest()
        assert parcel.mode == 0o755


def test_finding_the_engine_does_not_import_it() -> None:
    code = "import sys; from workbench.devices.runtime import host_runtime; host_runtime(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert not {"MNN", "_mnncengine", "_tools", "numpy"} & set(done.stdout.split())


def test_a_damaged_agent_is_refused(shipped: Path) -> None:
    with (shipped / "agent").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(DeviceError, match="damaged") as caught:
        host_runtime()
    assert caught.value.where == str(shipped / "agent")


def test_an_agent_for_another_engine_is_refused(shipped: Path) -> None:
    build = json.loads((shipped / "build.json").read_text())
    (shipped / "build.json").write_text(json.dumps(build | {"engine_version": "3.5.0"}))
    with pytest.raises(DeviceError, match=r"made for MNN 3\.5\.0") as caught:
        host_runtime()
    assert "mnn==3.5.0" in str(caught.value.hint)


def test_a_machine_without_an_agent_is_told_how_to_build_one(shipped: Path) -> None:
    shutil.rmtree(shipped)
    with pytest.raises(DeviceError, match="No agent is shipped") as caught:
        host_runtime()
    assert "build.py" in str(caught.value.hint)


def test_a_missing_engine_is_told(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "_ENGINE_MODULE", "no_such_engine")
    with pytest.raises(DeviceError, match="not installed"):
        host_runtime()


def test_a_phone_of_another_processor_is_told_before_anything_is_pushed() -> None:
    phone = Device("1234", "Phone", "arm64-v8a", DeviceState.READY)
    with pytest.raises(DeviceError, match=r"No agent is shipped .*arm64-v8a") as caught:
        runtime_for(phone)
    assert caught.value.where == "1234"
    assert runtime_for(replace(phone, abi="x86_64")) == host_runtime()
