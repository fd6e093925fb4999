from __future__ import annotations

import json
import subprocess
import sys
from inspect import signature
from pathlib import Path

import onnx
import pytest

from tests.real_models import MODELS
from workbench.app.commands import COMMANDS
from workbench.app.samples import digits
from workbench.cli.parser import arguments_of, make_parser


def workbench(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "workbench", *words], capture_output=True, text=True, timeout=120, check=False
    )


def test_every_command_has_its_parameters_on_the_command_line() -> None:
    parser = make_parser(COMMANDS, str)
    required = {"check": ["m.onnx"], "plan": ["m.onnx"], "convert": ["m.onnx", "-o", "x.mnn"], "run": ["x.mnn"]}
    for command in COMMANDS:
        parsed = parser.parse_args([command.name, *required.get(command.name, [])])
        arguments_of(command, parsed)  # raises where a parameter has no argument
        assert (command.run.__doc__ or "").splitlines()[0] == str(command.summary)


def test_a_repeatable_option_gives_all_its_values() -> None:
    parser = make_parser(COMMANDS, str)
    command = next(c for c in COMMANDS if c.name == "check")
    parsed = parser.parse_args(["check", "m.onnx", "--shape", "a=1x3", "--shape", "b=2"])
    assert arguments_of(command, parsed)["shape"] == ("a=1x3", "b=2")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("frobnicate",), "invalid choice"),
        (("check",), "MODEL"),
        (("convert", "m.onnx"), "-o"),
        (("plan", "m.onnx", "--bits", "many"), "--bits"),
        (("run", "x.mnn", "--precision", "huge"), "--precision"),
    ],
)
def test_a_usage_error_is_one_line_and_exit_code_2(words: tuple[str, ...], told: str) -> None:
    ended = workbench(*words)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert told in ended.stderr


def test_a_missing_model_is_one_line_that_names_it_and_a_document(tmp_path: Path) -> None:
    missing = tmp_path / "none.onnx"
    ended = workbench("check", str(missing), "--json")
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    error = json.loads(ended.stdout)["error"]
    assert error["kind"] == "bad_input"
    assert error["where"] == str(missing)
    assert set(error) == {"kind", "where", "what", "hint"}


def test_help_names_every_command() -> None:
    ended = workbench("--help")
    assert ended.returncode == 0
    for command in COMMANDS:
        assert command.name in ended.stdout


@pytest.mark.parametrize("switch", ["-O", "-OO"])
def test_help_needs_no_docstrings(switch: str, tmp_path: Path) -> None:
    def optimized(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, switch, "-m", "workbench", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    ended = optimized("--help")
    assert (ended.returncode, ended.stderr) == (0, "")
    said = " ".join(ended.stdout.split())
    for command in COMMANDS:
        assert str(command.summary) in said
    assert str(COMMANDS[0].summary) in optimized("check", "--help").stdout
    planned = optimized("plan", str(digits().model), "--bits", "8", "--json")
    assert (planned.returncode, planned.stderr) == (0, "")
    assert json.loads(planned.stdout)["default"]["bits"] == 8


def test_help_shows_what_counts_where_an_option_is_not_given() -> None:
    said = " ".join(workbench("run", "--help").stdout.split())
    command = next(c for c in COMMANDS if c.name == "run")
    defaults = {
        name: parameter.default
        for name, parameter in signature(command.run).parameters.items()
        if isinstance(parameter.default, (int, float, str)) and not isinstance(parameter.default, bool)
    }
    assert len(defaults) >= 7
    for value in defaults.values():
        assert f"(default: {value})" in said
    assert said.count("(default: ") == len(defaults)


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from workbench.cli import main\n"
        "try:\n    main(['--help'])\n"
        "except SystemExit:\n    pass\n"
        "heavy = {'numpy', 'onnx', 'onnxruntime', 'MNN', '_tools', 'PySide6', 'adbutils', 'rich', 'jinja2'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stderr.strip() == "[]"


def test_a_plan_tells_the_layers_that_it_would_destroy() -> None:
    """Real data: folding makes channels in PP-OCRv4's detector whose 8-bit step is below what the engine keeps."""
    model = str(MODELS[0].file)
    told = json.loads(workbench("plan", model, "--bits", "8", "--json").stdout)
    assert told["traps"]
    assert all(trap["lost"] > 0 and trap["name"] in trap["reason"] for trap in told["traps"])
    assert json.loads(workbench("plan", model, "--bits", "8", "--hqq", "--json").stdout)["traps"] == []


def test_a_plan_for_a_model_without_layers_to_quantize_is_refused(tmp_path: Path) -> None:
    model = tmp_path / "relu.onnx"
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Relu", ["x"], ["y"])], "relu", [value("x", 1, [4])], [value("y", 1, [4])]
    )
    onnx.save(onnx.helper.make_model(graph, ir_version=8), model)
    ended = workbench("plan", str(model), "--bits", "8")
    assert ended.returncode == 2
    assert "No layer of this model can be quantized" in ended.stderr


def test_a_plan_tells_the_layers_that_its_block_does_not_fit() -> None:
    model = str(digits().model)
    told = workbench("plan", model, "--bits", "4", "--block", "48", "--json")
    (warning,) = json.loads(told.stdout)["warnings"]
    assert "layers get one scale a channel, as blocks of 48 do not fit" in warning
    assert "/stem/conv/Conv" in warning
    assert warning in workbench("plan", model, "--bits", "4", "--block", "48").stderr
    assert json.loads(workbench("plan", model, "--bits", "4", "--json").stdout)["warnings"] == []


@pytest.mark.parametrize("words", [("plan", str(digits().model), "--bits", "8"), ("run", "none.mnn"), ("devices",)])
def test_what_workers_compute_needs_no_numpy_in_the_command_itself(words: tuple[str, ...]) -> None:
    script = (
        "import sys\n"
        "from workbench.cli import main\n"
        f"main({[*words, '--json']!r})\n"
        "heavy = {'numpy', 'onnx', 'onnxruntime', 'MNN', '_tools', 'PySide6'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert ended.stderr.splitlines()[-1] == "[]"
