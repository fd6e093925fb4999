"""What texts tell people to run exists: every command and option that they name."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

import workbench
from workbench.app.commands import COMMANDS
from workbench.cli.parser import make_parser

PACKAGE = Path(workbench.__file__).parent
COMMAND = re.compile(r"(?<!/)\bworkbench ([a-z]+)((?: (?:--?[a-z-]+|[A-Z][A-Za-z.]*))*)")
OF_OTHERS = {"--force-reinstall"}  # pip's


def texts() -> Iterator[tuple[str, str]]:
    """Every literal first argument of ``msg`` with its place."""
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("msg", "tr")):
                continue
            for text in node.args[:1]:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield f"{file.relative_to(PACKAGE)}:{node.lineno}", text.value


def options() -> dict[str, set[str]]:
    """The options of each command."""
    parser = make_parser(COMMANDS, str)
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {name: set(one._option_string_actions) for name, one in commands.choices.items()}


def test_every_command_that_a_text_names_exists_with_its_options() -> None:
    known = options()
    named = 0
    for place, text in texts():
        for command, rest in COMMAND.findall(text):
            named += 1
            assert command in known, f"{place}: {text}"
            for option in re.findall(r"--?[a-z-]+", rest):
                assert option in known[command], f"{place}: {text}"
    assert named > 10


def test_every_option_that_a_text_names_exists() -> None:
    known = set().union(*options().values())
    for place, text in texts():
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", text):
            assert option in known | OF_OTHERS, f"{place}: {text}"


def test_every_error_of_the_users_says_what_to_do() -> None:
    """Faults of the program itself have none: nobody but its makers can do anything."""
    kinds = {"BadInput", "UsageError", "DeviceError", "EngineError", "AnswerIsNo"}
    found = 0
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds:
                found += 1
                keywords = {keyword.arg for keyword in node.keywords}
                assert "hint" in keywords, f"{file.relative_to(PACKAGE)}:{node.lineno}: {ast.unparse(node)}"
    assert found > 100
