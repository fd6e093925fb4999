"""The command line in the user's language; documents for programs stay English."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.cli import program


@pytest.fixture(autouse=True)
def _chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_LANGUAGE", "zh_CN")


def test_help_is_chinese_down_to_the_words_of_argparse(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        program.run(["check", "--help"])

    said = capsys.readouterr().out
    assert ended.value.code == 0
    assert said.startswith("用法：workbench check")
    assert "显示此帮助并退出" in said
    assert "模型文件（ONNX）" in said


def test_a_missing_argument_is_told_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    program.run(["check"])

    assert capsys.readouterr().err == "workbench: 缺少参数：MODEL。见 workbench check --help。\n"


def test_an_error_and_its_hint_are_joined_by_chinese_punctuation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing = tmp_path / "none.onnx"
    program.run(["check", str(missing)])

    assert capsys.readouterr().err == f"workbench: {missing}：没有此文件。检查路径。\n"


def test_documents_stay_english(capsys: pytest.CaptureFixture[str]) -> None:
    program.run(["check", "--json"])

    error = json.loads(capsys.readouterr().out)["error"]
    assert error["what"] == "the following arguments are required: MODEL"
    assert error["hint"] == "See workbench check --help."
