"""Ctrl-C at random moments: exit code 130, nothing goes on, nothing is left."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end_to_end.command import Workbench
from tests.end_to_end.phones import Handset
from tests.end_to_end.test_kills import FOREVER, moments_of
from tests.real_models import real_model

LIMIT_S = 30.0
"""Far beyond the two seconds that it takes at most: it tells a hang, not a slow machine."""


@pytest.mark.parametrize("command", ["check", "convert"])
@pytest.mark.parametrize("after", moments_of("cancel work", 2.0, few=2))
def test_work_that_is_cancelled_leaves_nothing(
    after: float, command: str, workbench: Workbench, tmp_path: Path
) -> None:
    model = real_model("ppocr_rec")
    words = ("-o", "m.mnn") if command == "convert" else ()
    running = workbench.start(command, model, *words, "--json")
    running.wait_until_it_handles_signals()
    time.sleep(after)
    running.tell(signal.SIGINT)
    ended = running.end(LIMIT_S)
    assert ended.code == 130
    assert ended.error["kind"] == "cancelled"
    assert {file.name for file in tmp_path.iterdir()} == {"tmp", "home"}
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("after", moments_of("cancel run", 2.0))
def test_a_run_that_is_cancelled_leaves_nothing_on_the_phone(
    after: float, workbench: Workbench, phone: Handset, artifact: Path, tmp_path: Path
) -> None:
    running = workbench.start("run", artifact, "--device", phone.serial, *FOREVER, "--save", "run.jsonl", "--json")
    running.wait_until_it_handles_signals()
    time.sleep(after)
    running.tell(signal.SIGINT)
    ended = running.end(LIMIT_S)
    assert ended.code == 130
    assert ended.error["kind"] == "cancelled"
    assert {file.name for file in tmp_path.iterdir()} == {"tmp", "home"}
    assert list((tmp_path / "tmp").iterdir()) == []
    phone.assert_at_rest()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_that_end_programs_cancel_too(
    number: signal.Signals, workbench: Workbench, phone: Handset, artifact: Path
) -> None:
    running = workbench.start("run", artifact, "--device", phone.serial, *FOREVER)
    phone.agent()
    running.tell(number)
    ended = running.end(LIMIT_S)
    assert (ended.code, ended.out, ended.err) == (130, "", "workbench: Cancelled\n")
    phone.assert_at_rest()


def test_a_run_on_this_computer_is_cancelled(workbench: Workbench, artifact: Path) -> None:
    running = workbench.start("run", artifact, "--device", "host", *FOREVER)
    running.wait_until_it_handles_signals()
    time.sleep(0.7)
    running.tell(signal.SIGINT)
    assert running.end(LIMIT_S).code == 130
    assert workbench("run", artifact, "--device", "host", "--iterations", "1").code == 0


def test_a_slow_push_is_cancelled_at_once(
    workbench: Workbench, faulty_phone: Callable[..., Handset], artifact: Path
) -> None:
    phone = faulty_phone(bandwidth=100_000.0)  # the runtime would take minutes
    running = workbench.start("run", artifact, "--device", phone.serial)
    running.wait_until_it_speaks_to(phone.adb.port)
    time.sleep(1.0)
    running.tell(signal.SIGINT)
    assert running.end(LIMIT_S).code == 130
    assert "lock" not in phone.entries()


def test_a_phone_that_hangs_does_not_hold_up_who_cancels(
    workbench: Workbench, faulty_phone: Callable[..., Handset], artifact: Path, tmp_path: Path
) -> None:
    phone = faulty_phone(slow_shell=20.0)
    running = workbench.start("run", artifact, "--device", phone.serial)
    running.wait_until_it_speaks_to(phone.adb.port)
    running.tell(signal.SIGINT)
    # The phone answers its first command after 20 s: the job is given up before.
    assert running.end(10.0).code == 130


def test_a_second_signal_gives_up_at_once(
    workbench: Workbench, faulty_phone: Callable[..., Handset], artifact: Path
) -> None:
    phone = faulty_phone(slow_shell=20.0)
    running = workbench.start("run", artifact, "--device", phone.serial)
    running.wait_until_it_speaks_to(phone.adb.port)
    running.tell(signal.SIGINT)
    running.tell(signal.SIGTERM)
    assert running.end(10.0).code == 130


@pytest.mark.parametrize("after", moments_of("cancel demo", 12.0, few=1))
def test_a_demo_that_is_cancelled_leaves_neither_a_phone_nor_a_window(
    after: float, workbench: Workbench, tmp_path: Path
) -> None:
    running = workbench.start("demo", "-o", "demo")
    running.wait_until_it_handles_signals()
    time.sleep(after)
    running.tell(signal.SIGINT)
    ended = running.end(LIMIT_S)
    assert (ended.code, ended.err) == (130, "workbench: Cancelled\n")
    assert list((tmp_path / "tmp").iterdir()) == []
