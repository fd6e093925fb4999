"""Cut the static fonts of ``resources/fonts`` from the variable ones on PyPI.

    pip install fonttools fontpkg-inter==4.1.post1 fontpkg-jetbrains-mono==2.211
    python packaging/fonts/cut_fonts.py resources/fonts

Static files, because Qt ignores ``setWeight`` for a variable font added to the application: all
weights come out equal. The optical size of Inter is fixed at 14, that of text. Inter's tabular
figures (tnum), which the window has everywhere, leave hyphens alone: as wide as a digit, one tears
"Warm-up" apart, and numbers have a minus of their own.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont


@dataclass(frozen=True, slots=True)
class Cut:
    """One static font: ``axes`` fixes every axis of the variable file."""

    package: str
    source: str
    family: str
    style: str
    axes: dict[str, float]

    @property
    def file(self) -> str:
        return f"{self.family.replace(' ', '')}-{self.style}.ttf"


_INTER = ("fontpkg_inter", "Inter[opsz,wght].ttf", "Inter")
_MONO = ("fontpkg_jetbrains_mono", "JetBrainsMono[wght].ttf", "JetBrains Mono")

CUTS = (
    Cut(*_INTER, "Regular", {"wght": 400, "opsz": 14}),
    Cut(*_INTER, "Medium", {"wght": 500, "opsz": 14}),
    Cut(*_INTER, "SemiBold", {"wght": 600, "opsz": 14}),
    Cut(*_MONO, "Regular", {"wght": 400}),
)

_WORD_SIGNS = ("hyphen", "hyphen.case")
_RIBBI = {"Regular"}
"""Styles that the old four-style naming can say; the others need the typographic names."""


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{name.replace('_', '-')} is not installed: pip install it first")
    return Path(spec.origin).parent


def _rename(font: TTFont, cut: Cut) -> None:
    """Family and style as Qt reads them; the variable file's names would merge every weight."""
    postscript = f"{cut.family.replace(' ', '')}-{cut.style}"
    legacy = cut.family if cut.style in _RIBBI else f"{cut.family} {cut.style}"
    table = font["name"]
    table.names = [record for record in table.names if record.nameID not in (16, 17, 25)]
    names = {1: legacy, 2: "Regular", 3: postscript, 4: f"{cut.family} {cut.style}", 6: postscript}
    if cut.style not in _RIBBI:
        names |= {16: cut.family, 17: cut.style}
    for number, text in names.items():
        table.setName(text, number, 3, 1, 0x409)
        table.setName(text, number, 1, 0, 0)
    font["OS/2"].usWeightClass = int(cut.axes["wght"])


def _keep_words(font: TTFont) -> None:
    """Take the signs that words have out of what ``tnum`` replaces."""
    table = font["GSUB"].table
    tabular = {
        number
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for number in record.Feature.LookupListIndex
    }
    for number in tabular:
        for part in table.LookupList.Lookup[number].SubTable:
            replaced = getattr(part, "ExtSubTable", part).mapping
            for sign in _WORD_SIGNS:
                replaced.pop(sign, None)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for cut in CUTS:
        package = _package(cut.package)
        font = TTFont(package / "files" / cut.source, recalcTimestamp=False)
        static = instantiateVariableFont(font, cut.axes)
        _rename(static, cut)
        _keep_words(static)
        static.save(folder / cut.file)
        shutil.copyfile(package / "LICENSE", folder / f"LICENSE-{cut.family.replace(' ', '')}.txt")
        print(f"{cut.file}: {(folder / cut.file).stat().st_size // 1024} KB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
