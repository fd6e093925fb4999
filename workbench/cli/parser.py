"""An argparse parser made from the signatures in app/commands."""

from __future__ import annotations

import argparse
import types
import typing
from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Final, NoReturn, Union

import workbench
from workbench.app.arguments import Argument, Command
from workbench.core.errors import UsageError
from workbench.core.messages import Message, Translate, msg

_NOT_OPTIONS: Final = ("services", "ctx")


class Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would print two lines and exit."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(
            msg("{message}", message=message),
            hint=msg("See {command} --help.", command=self.prog),
        )


def make_parser(commands: Iterable[Command], translate: Translate) -> Parser:
    """The parser of all ``commands``; the chosen one lands in ``command``."""
    # argparse has no parameter for its own words; it looks them up by this name of its module at every use.
    vars(argparse)["_"] = translate
    parser = Parser(
        prog="workbench",
        description=translate("Put neural networks on phones: check, quantize, convert, run and measure them."),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"workbench {workbench.__version__}",
        help=translate("Show the version and exit"),
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for command in commands:
        summary = command.summary.render(translate)
        sub = subparsers.add_parser(command.name, help=summary, description=summary)
        for name, parameter, hint in _parameters(command.run):
            _add(sub, name, parameter, hint, translate)
        sub.add_argument("--json", action="store_true", help=translate("Answer with one JSON document on stdout"))
        sub.add_argument("--no-plugins", action="store_true", help=translate("Load no plugins"))
        sub.add_argument("-v", "--verbose", action="store_true", help=translate("Log lines on stderr"))
    return parser


def arguments_of(command: Command, parsed: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments for ``command.run``."""
    values = vars(parsed)
    return {
        name: tuple(values[name]) if isinstance(values[name], list) else values[name]
        for name, _, _ in _parameters(command.run)
    }


def _parameters(function: Callable[..., Any]) -> list[tuple[str, Parameter, Any]]:
    hints = typing.get_type_hints(function, include_extras=True)
    return [(n, p, hints[n]) for n, p in signature(function).parameters.items() if n not in _NOT_OPTIONS]


def _add(parser: Parser, name: str, parameter: Parameter, hint: Any, translate: Translate) -> None:
    kind, argument = _taken_apart(hint)
    help_text = _help(argument, parameter, kind).render(translate).replace("%", "%%")
    required = parameter.default is Parameter.empty
    if parameter.kind is Parameter.POSITIONAL_OR_KEYWORD:
        nargs = {} if required else {"nargs": "?", "default": parameter.default}
        parser.add_argument(name, type=kind, metavar=argument.metavar, help=help_text, **nargs)
        return
    flags = argument.flags or (f"--{name.replace('_', '-')}",)
    common: dict[str, Any] = {"dest": name, "help": help_text}
    if kind is bool:
        parser.add_argument(*flags, action="store_true", **common)
        return
    common |= {"metavar": argument.metavar, "required": required}
    if argument.choices:
        common |= {"choices": argument.choices, "metavar": None}
    if kind is tuple:
        parser.add_argument(*flags, action="append", default=[], **common)
    else:
        default = None if required else parameter.default
        parser.add_argument(*flags, type=kind, default=default, **common)


def _help(argument: Argument, parameter: Parameter, kind: Any) -> Message:
    """What the option means, and what counts where it is not given."""
    if parameter.default in (Parameter.empty, None) or kind in (bool, tuple):
        return argument.help
    return msg("{help} (default: {value})", help=argument.help, value=str(parameter.default))


def _taken_apart(hint: Any) -> tuple[Any, Argument]:
    """The type that argparse calls, and the description."""
    kind, argument = typing.get_args(hint)[:2]
    if typing.get_origin(kind) in (Union, types.UnionType):
        kind = next(option for option in typing.get_args(kind) if option is not type(None))
    if typing.get_origin(kind) is tuple:
        kind = tuple
    assert kind in (Path, str, int, float, bool, tuple), f"no command line form for {kind}"
    return kind, argument
