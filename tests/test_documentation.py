"""README, ARCHITECTURE and CHANGELOG say what the program has."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from workbench import __version__
from workbench.app.commands import COMMANDS
from workbench.cli.parser import make_parser
from workbench.core.errors import ExitCode
from workbench.engines.judge import NOISE_FACTOR, RESOLUTION, TOLERANCE
from workbench.engines.verify import MAX_ERROR

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "plugins/README.md")


def test_the_readme_lists_every_command_and_no_other() -> None:
    listed = re.findall(r"^\| `workbench (\w+)", README, re.MULTILINE)
    assert sorted(listed) == sorted(command.name for command in COMMANDS)


def test_every_command_line_of_the_readme_is_one_that_the_program_takes() -> None:
    parser = make_parser(COMMANDS, str)
    lines = re.findall(r"^\$ workbench (.*)$", README, re.MULTILINE)
    assert len(lines) > 5
    for line in lines:
        parser.parse_args(shlex.split(line))


def test_the_readme_lists_every_exit_code() -> None:
    listed = re.findall(r"^\| (\d+) \|", README, re.MULTILINE)
    assert [int(code) for code in listed] == [code.value for code in ExitCode]


def test_the_rule_of_what_is_right_has_the_program_s_numbers() -> None:
    assert f"{TOLERANCE:g} of the output's largest reference value" in README
    assert f"{NOISE_FACTOR:g} times what the" in README
    assert f"`--max-error` ({MAX_ERROR:g})" in README
    assert RESOLUTION == 2**-23
    assert "2^-23" in ARCHITECTURE


def test_the_architecture_lists_every_folder_and_no_other() -> None:
    listed = re.findall(r"^\| `(\w+)/` \|", ARCHITECTURE, re.MULTILINE)
    there = [path.name for path in (ROOT / "workbench").iterdir() if path.is_dir() and path.name[0] not in "_."]
    assert sorted(listed) == sorted(there)


def test_modules_that_the_architecture_names_exist() -> None:
    named = set(
        re.findall(r"`((?:core|children|formats|engines|quantize|devices|app|cli|ui)/[\w/]+\.py)`", ARCHITECTURE)
    )
    assert named
    assert [name for name in sorted(named) if not (ROOT / "workbench" / name).is_file()] == []


def test_the_changelog_has_the_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {__version__}" in changes


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_between_documents_lead_somewhere(name: str) -> None:
    document = ROOT / name
    for target in re.findall(r"(?<!!)\[[^\]]*\]\(([^)#]+?)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target
