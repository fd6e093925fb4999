"""Keeps the gettext catalogues: extract texts, merge them into each language, compile.

    python packaging/catalogues.py            update the .po files and compile the .mo files
    python packaging/catalogues.py --check    exit 1 and name what is missing or stale

Texts are the first arguments of ``msg`` and ``tr``, and the first lines of the commands' docstrings.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from workbench.app.commands import COMMANDS

ROOT: Final = Path(__file__).resolve().parent.parent
LOCALE: Final = ROOT / "resources" / "locale"
LANGUAGES: Final = ("zh_CN",)
KEYWORDS: Final = {"msg": None, "tr": None, "translate": None}
_PLACE: Final = re.compile(r"\{(\w+)")


def extracted() -> Catalog:
    """Every text of the program, with the file it stands in."""
    catalog = Catalog(project="workbench", charset="utf-8")
    found = extract_from_dir(str(ROOT / "workbench"), [("**.py", "python")], keywords=KEYWORDS)
    for name, _, text, _, _ in sorted(found, key=lambda row: (row[0], row[1])):
        if isinstance(text, str) and text:
            catalog.add(text, locations=[(f"workbench/{name}", 0)])
    for command in COMMANDS:
        catalog.add((command.run.__doc__ or "").splitlines()[0], locations=[("workbench/app/commands.py", 0)])
    return catalog


def po_path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "workbench.po"


def read(language: str) -> Catalog:
    """The language's catalogue as it is kept; an empty one where there is none yet."""
    path = po_path(language)
    if not path.is_file():
        return Catalog(locale=language, project="workbench", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def problems(language: str) -> list[str]:
    """What is untranslated, has other places than the English, is stale, or is not compiled."""
    kept = read(language)
    found = []
    for message in extracted():
        if not message.id:
            continue
        translation = kept.get(message.id)
        if translation is None or not translation.string or translation.fuzzy:
            found.append(f"not translated: {message.id!r}")
        elif set(_PLACE.findall(str(message.id))) != set(_PLACE.findall(str(translation.string))):
            found.append(f"other places: {message.id!r}")
    wanted = {message.id for message in extracted()}
    found += [f"stale: {message.id!r}" for message in kept if message.id and message.id not in wanted]
    mo = po_path(language).with_suffix(".mo")
    if not mo.is_file() or mo.read_bytes() != compiled(kept):
        found.append(f"not compiled: {mo.relative_to(ROOT)}")
    return found


def compiled(catalog: Catalog) -> bytes:
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def update(language: str) -> None:
    """Merge the texts into the language's catalogue and compile it. New texts stay empty."""
    kept = read(language)
    merged = Catalog(locale=language, project="workbench", charset="utf-8")
    for message in extracted():
        if message.id:
            old = kept.get(message.id)
            merged.add(message.id, old.string if old else "", locations=message.locations)
    path = po_path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, merged, omit_header=False, include_lineno=False, width=110, sort_output=True)
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'"(POT-Creation-Date|PO-Revision-Date)[^"]*"\n', "", text), encoding="utf-8")
    path.with_suffix(".mo").write_bytes(compiled(read(language)))


def main() -> int:
    """Update, or check; returns the exit code."""
    if "--check" in sys.argv[1:]:
        found = [f"{language}: {problem}" for language in LANGUAGES for problem in problems(language)]
        print("\n".join(found) or "The catalogues are complete.")
        return 1 if found else 0
    for language in LANGUAGES:
        update(language)
        print(f"{language}: {sum(1 for p in problems(language) if p.startswith('not translated'))} not translated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
