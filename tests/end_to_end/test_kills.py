"""kill -9 of each process at random moments: the right message, nothing left behind, and the next one works."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.adb_server import private_adb, simulated_phone
from tests.end_to_end import models
from tests.end_to_end.command import Workbench
from tests.end_to_end.conftest import workbench_in
from tests.end_to_end.phones import Handset, is_agent
from tests.real_models import real_model
from tests.waiting import wait_until

SEED = os.environ.get("WORKBENCH_TEST_SEED", "20240229")
"""Another seed tries other moments."""
FEW = 3
"""Of the moments that the soak tries."""
MANY = 10
FOREVER = ("--duration", "600")
WORKERS = (
    "workbench.formats.onnx.worker",
    "workbench.engines.mnn.convert_worker",
    "workbench.engines.ort.worker",
    "workbench.engines.mnn.run_worker",
)


def moments(name: str, longest: float) -> list[float]:
    """Ten random delays in seconds, the same ones each time."""
    dice = random.Random(f"{SEED} {name}")
    return [dice.uniform(0, longest) for _ in range(MANY)]


def moments_of(name: str, longest: float, few: int = FEW) -> list[object]:
    """As parameters: the first few always, all of them in the soak."""
    marks: list[object] = []
    for number, moment in enumerate(moments(name, longest)):
        marks.append(pytest.param(moment, id=f"{number}", marks=[] if number < few else [pytest.mark.soak]))
    return marks


@pytest.fixture(scope="module")
def large_model(tmp_path_factory) -> Path:
    return models.large(tmp_path_factory.mktemp("large") / "large.onnx")


@pytest.mark.parametrize("after", moments_of("converter", 0.5))
def test_a_killed_converter_is_no_verdict_and_the_next_conversion_works(
    after: float, large_model: Path, workbench: Workbench, tmp_path: Path
) -> None:
    command = workbench.start("convert", large_model, "-o", "m.mnn", "--json")
    converter = command.worker_at("workbench.engines.mnn.convert_worker", "converted")
    time.sleep(after)
    converter.kill()
    ended = command.end()
    assert ended.code == 1
    assert (ended.error["kind"], ended.error["where"]) == ("engine", str(large_model))
    assert "killed from outside (SIGKILL)" in ended.error["what"]
    assert "try again" in ended.error["hint"]
    assert_nothing_left(tmp_path)
    assert workbench("convert", models.good(tmp_path / "g.onnx"), "-o", "g.mnn").code == 0


@pytest.mark.parametrize("module", WORKERS)
def test_any_killed_worker_is_told_the_same_way(module: str, workbench: Workbench, tmp_path: Path) -> None:
    model = models.good(tmp_path / "m.onnx")
    command = workbench.start("convert", model, "-o", "m.mnn", "--json")
    command.worker(module).kill()
    ended = command.end()
    assert ended.code == 1
    assert "SIGKILL" in ended.error["what"]
    assert ended.error["where"] == str(model)
    assert_nothing_left(tmp_path)


def assert_nothing_left(folder: Path) -> None:
    assert list(folder.glob("m.mnn*")) == []
    assert list(folder.glob(".*")) == []
    assert list((folder / "tmp").iterdir()) == []


@pytest.mark.parametrize("after", moments_of("agent", 1.0))
def test_a_killed_agent_is_named_and_the_next_run_works(
    after: float, workbench: Workbench, phone: Handset, artifact: Path, tmp_path: Path
) -> None:
    command = workbench.start("run", artifact, "--device", phone.serial, *FOREVER, "--save", "run.jsonl", "--json")
    agent = phone.agent()
    time.sleep(after)
    agent.kill()
    ended = command.end()
    assert ended.code == 3
    assert (ended.error["kind"], ended.error["where"]) == ("device", phone.serial)
    assert "SIGKILL" in ended.error["what"]
    assert "again" in ended.error["hint"]
    assert not (tmp_path / "run.jsonl").exists()
    assert list((tmp_path / "tmp").iterdir()) == []
    phone.assert_at_rest()
    assert workbench("run", artifact, "--device", phone.serial, "--iterations", "1").code == 0


@pytest.fixture(scope="module")
def own_phone(tmp_path_factory) -> Iterator[Handset]:
    """A phone on a server that the tests of this file may kill."""
    with private_adb(tmp_path_factory.mktemp("killed")) as adb, simulated_phone(adb) as phone:
        yield Handset(adb, phone)


@pytest.mark.parametrize("after", moments_of("server", 1.5))
def test_a_killed_adb_server_is_named_and_the_next_run_starts_one(
    after: float, own_phone: Handset, artifact: Path, tmp_path: Path
) -> None:
    workbench = workbench_in(own_phone.adb, tmp_path)
    command = workbench.start("run", artifact, "--device", own_phone.serial, *FOREVER, "--json")
    command.wait_until_it_speaks_to(own_phone.adb.port)
    time.sleep(after)
    own_phone.adb.server_process().kill()
    ended = command.end()
    assert ended.code == 3
    assert ended.error["kind"] == "device"
    assert "adb server" in ended.error["what"]
    assert "again" in ended.error["hint"]
    assert list((tmp_path / "tmp").iterdir()) == []
    wait_until(lambda: not own_phone.agents(), "the agent to end with its connection")
    assert workbench("run", artifact, "--device", own_phone.serial, "--iterations", "1").code == 0
    own_phone.assert_at_rest()


@pytest.mark.parametrize("after", moments_of("workbench", 1.0))
def test_a_killed_run_leaves_nothing_running_and_the_next_one_takes_its_lock(
    after: float, workbench: Workbench, phone: Handset, artifact: Path
) -> None:
    command = workbench.start("run", artifact, "--device", phone.serial, *FOREVER)
    phone.agent()
    time.sleep(after)
    command.tell(signal.SIGKILL)
    assert command.end().code == -signal.SIGKILL
    wait_until(lambda: not phone.agents(), "the agent to end")
    assert {"lock", "run"} <= phone.entries()
    assert workbench("run", artifact, "--device", phone.serial, "--iterations", "1").code == 0
    phone.assert_at_rest()


@pytest.mark.parametrize("after", moments_of("conversion", 2.0))
def test_a_killed_conversion_leaves_no_worker(after: float, workbench: Workbench, tmp_path: Path) -> None:
    command = workbench.start("convert", real_model("ppocr_rec"), "-o", "m.mnn")
    command.wait_until_it_handles_signals()
    time.sleep(after)
    command.tell(signal.SIGKILL)
    assert command.end().code == -signal.SIGKILL  # ``end`` waits for its workers
    assert list(tmp_path.glob("m.mnn*")) == []


def test_a_run_on_this_computer_ends_with_its_command(workbench: Workbench, artifact: Path) -> None:
    command = workbench.start("run", artifact, "--device", "host", *FOREVER)
    wait_until(lambda: len(command.descendants()) > 1 and _agents(command.descendants()), "the agent to run")
    command.tell(signal.SIGKILL)
    assert command.end().code == -signal.SIGKILL
    assert workbench("run", artifact, "--device", "host", "--iterations", "1").code == 0


def _agents(pids: list[int]) -> bool:
    return any(psutil.pid_exists(pid) and is_agent(psutil.Process(pid)) for pid in pids)
