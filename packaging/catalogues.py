"""Keeps the gettext catalogues: extract texts, merge them into each language, compile.

    python packaging/catalogues.py            update the .po files and compile the .mo files
    python packaging/catalogues.py --check    exit 1 and name what is missing or stale

Texts are the templates of ``msg``, ``tr`` and ``translate``, those of ``t`` in the report, and argparse's own words.
The files hold no date and no line numbers: the same program gives the same bytes.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

import jinja2
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2 import nodes

ROOT: Final = Path(__file__).resolve().parent.parent
LOCALE: Final = ROOT / "resources" / "locale"
LANGUAGES: Final = ("zh_CN",)
CALLS: Final = frozenset({"msg", "tr", "translate"})
PASSED_ON: Final = frozenset({"template", "thing"})
"""Names that carry a template found elsewhere, in the few functions that hand one on."""
ARGPARSE: Final = (
    "usage: ",
    "positional arguments",
    "options",
    "show this help message and exit",
    "argument %(argument_name)s: %(message)s",
    "the following arguments are required: %s",
    "unrecognized arguments: %s",
    "expected one argument",
    "invalid %(type)s value: %(value)r",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "ambiguous option: %(option)s could match %(matches)s",
    "ignored explicit argument %r",
)
"""What argparse (Python 3.11 to 3.13) says in this program's help and errors, as its source spells it."""
_HEADER: Final = """\
Language: {language}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit
"""
_PLACE: Final = re.compile(r"\{(\w+)|%(\(\w+\))?[sdr]")
_MO_MAGIC: Final = 0x950412DE


def extracted() -> dict[str, set[str]]:
    """Every text of the program, with the files it stands in."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "workbench").rglob("*.py")):
        for text in python_texts(ast.parse(path.read_bytes()), _shown(path)):
            found[text].add(_shown(path))
    for path in sorted((ROOT / "resources").rglob("*.j2")):
        for text in template_texts(path.read_text(encoding="utf-8")):
            found[text].add(_shown(path))
    for text in ARGPARSE:
        found[text].add("argparse")
    return found


def python_texts(module: ast.Module, where: str) -> Iterator[str]:
    """The templates of the calls in ``module``. Raises ValueError for one that cannot be known before it runs."""
    named = _string_names(module)
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and _called(node.func) in CALLS and node.args:
            yield from _literals(node.args[0], named, f"{where}:{node.lineno}")


def template_texts(source: str) -> Iterator[str]:
    """The first arguments of ``t`` in a Jinja template."""
    for call in jinja2.Environment(autoescape=True).parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "t":
            yield from (constant.value for constant in _constants(call.args[0]))


def _constants(node: nodes.Expr) -> Iterator[nodes.Const]:
    return iter([node]) if isinstance(node, nodes.Const) else node.find_all(nodes.Const)


def _called(function: ast.expr) -> str:
    """``translate`` of a painter moves it; that of this program is always a plain name."""
    return function.id if isinstance(function, ast.Name) else ""


def _string_names(module: ast.Module) -> dict[str, list[str]]:
    """Names that are given a text literal anywhere in the module."""
    named: dict[str, list[str]] = defaultdict(list)
    for node in ast.walk(module):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text)))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text)))
            ):
                named[name].append(text)
    return named


def _literals(node: ast.expr, named: dict[str, list[str]], where: str) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp():
            yield from _literals(node.body, named, where)
            yield from _literals(node.orelse, named, where)
        case ast.Name(id=name) if name in named:
            yield from named[name]
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in PASSED_ON:
            return
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)]) if name in PASSED_ON:
            return
        case _:
            raise ValueError(f"{where}: a text is put together, so it cannot be translated: {ast.unparse(node)}")


def po_path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "workbench.po"


def read(language: str) -> dict[str, str]:
    """The language's translations as they are kept; none where there is no file yet."""
    path = po_path(language)
    if not path.is_file():
        return {}
    with path.open("rb") as file:
        kept = read_po(file, locale=language)
    return {str(message.id): str(message.string) for message in kept if message.id and not message.fuzzy}


def problems(language: str) -> list[str]:
    """What is untranslated, has other places than the English, is stale, or is not compiled."""
    kept, wanted = read(language), extracted()
    found = [f"not translated: {text!r}" for text in sorted(wanted) if not kept.get(text)]
    found += [
        f"other places: {text!r}" for text in sorted(wanted) if kept.get(text) and places(text) != places(kept[text])
    ]
    found += [f"stale: {text!r}" for text in sorted(kept) if text not in wanted]
    mo = po_path(language).with_suffix(".mo")
    if not mo.is_file() or mo.read_bytes() != compiled(language, kept):
        found.append(f"not compiled: {mo.relative_to(LOCALE)}")
    return found


def places(text: str) -> set[str]:
    """The ``{name}`` and ``%s`` places of a template."""
    return {match.group() for match in _PLACE.finditer(text)}


def compiled(language: str, texts: dict[str, str]) -> bytes:
    """A .mo file (GNU gettext manual, "The Format of GNU MO Files"), without a hash table."""
    entries = {"": _HEADER.format(language=language)} | {key: value for key, value in texts.items() if value}
    pairs = sorted((key.encode(), value.encode()) for key, value in entries.items())
    size = len(pairs)
    heads = 28
    offset = heads + 16 * size
    tables: list[bytes] = []
    for column in zip(*pairs, strict=True):
        for text in column:
            tables.append(struct.pack("<2I", len(text), offset))
            offset += len(text) + 1
    head = struct.pack("<7I", _MO_MAGIC, 0, size, heads, heads + 8 * size, 0, heads + 16 * size)
    return head + b"".join(tables) + b"".join(text + b"\0" for column in zip(*pairs, strict=True) for text in column)


def update(language: str) -> None:
    """Merge the texts into the language's catalogue and compile it. New texts stay empty."""
    kept = read(language)
    merged = Catalog(locale=language)
    for text, files in extracted().items():
        merged.add(text, kept.get(text, ""), locations=[(name, 0) for name in sorted(files)])
    body = BytesIO()
    write_po(body, merged, omit_header=True, include_lineno=False, width=110, sort_output=True)
    head = "".join(f'"{line}\\n"\n' for line in _HEADER.format(language=language).splitlines())
    path = po_path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(f'msgid ""\nmsgstr ""\n{head}\n'.encode() + body.getvalue())
    path.with_suffix(".mo").write_bytes(compiled(language, read(language)))


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def main(arguments: Iterable[str]) -> int:
    """Update, or check; returns the exit code."""
    if "--check" in arguments:
        found = [f"{language}: {problem}" for language in LANGUAGES for problem in problems(language)]
        print("\n".join(found) or "The catalogues are complete.")
        return 1 if found else 0
    for language in LANGUAGES:
        update(language)
        print(f"{language}: {sum(1 for p in problems(language) if p.startswith('not translated'))} not translated")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
