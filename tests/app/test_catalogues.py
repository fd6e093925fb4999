"""The catalogues hold every text of the program, and the compiled files are theirs."""

from __future__ import annotations

import ast
import gettext
import importlib.util
import string
from pathlib import Path
from types import ModuleType

import pytest

from workbench.app.language import LANGUAGES, translator

PROGRAM = Path(__file__).resolve().parents[2] / "packaging" / "catalogues.py"


@pytest.fixture(scope="module")
def catalogues() -> ModuleType:
    spec = importlib.util.spec_from_file_location("catalogues", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def texts(catalogues: ModuleType) -> dict[str, set[str]]:
    found: dict[str, set[str]] = catalogues.extracted()
    return found


def test_every_language_that_can_be_chosen_has_a_catalogue(catalogues: ModuleType) -> None:
    assert {"en", *catalogues.LANGUAGES} == set(LANGUAGES)


def test_texts_of_the_window_the_commands_the_report_and_argparse_are_found(texts: dict[str, set[str]]) -> None:
    assert texts["Every op is right."] == {"resources/report/report.html.j2"}
    assert "workbench/app/commands.py" in texts["Open the window."]
    assert "argparse" in texts["show this help message and exit"]
    assert any(name.startswith("workbench/ui/") for name in texts["Quantize"])


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
class TestCatalogue:
    def test_every_text_is_translated(self, language: str, catalogues: ModuleType, texts: dict[str, set[str]]) -> None:
        kept = catalogues.read(language)

        assert [text for text in texts if not kept.get(text)] == []

    def test_no_text_that_has_gone_is_kept(
        self, language: str, catalogues: ModuleType, texts: dict[str, set[str]]
    ) -> None:
        assert set(catalogues.read(language)) <= set(texts)

    def test_places_are_those_of_the_english(self, language: str, catalogues: ModuleType) -> None:
        for text, translated in catalogues.read(language).items():
            assert catalogues.places(translated) == catalogues.places(text), text

    def test_every_translation_can_be_filled(self, language: str, catalogues: ModuleType) -> None:
        for translated in catalogues.read(language).values():
            assert all(kind in ("", None) for _, _, kind, _ in string.Formatter().parse(translated)), translated

    def test_the_compiled_file_says_what_the_source_says(self, language: str, catalogues: ModuleType) -> None:
        with catalogues.po_path(language).with_suffix(".mo").open("rb") as file:
            compiled = gettext.GNUTranslations(file)
        translate = translator(language)

        for text, translated in catalogues.read(language).items():
            assert compiled.gettext(text) == translated
            assert translate(text) == translated

    def test_the_same_texts_compile_to_the_same_bytes(self, language: str, catalogues: ModuleType) -> None:
        mo = catalogues.po_path(language).with_suffix(".mo")

        assert mo.read_bytes() == catalogues.compiled(language, catalogues.read(language))


def test_a_text_that_is_put_together_is_refused(catalogues: ModuleType) -> None:
    module = ast.parse('msg(f"Model {name}")')

    with pytest.raises(ValueError, match="put together"):
        list(catalogues.python_texts(module, "example.py"))


def test_both_ends_of_a_choice_and_a_named_text_are_found(catalogues: ModuleType) -> None:
    module = ast.parse('text = "three"\nmsg("one" if n == 1 else "two")\ntr(text, n=f"{n:,}")')

    assert sorted(catalogues.python_texts(module, "example.py")) == ["one", "three", "two"]


def test_a_new_text_is_named_until_it_is_translated(
    catalogues: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "workbench").mkdir()
    (tmp_path / "workbench" / "new.py").write_text('msg("A text of {place}")')
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)

    assert "not translated: 'A text of {place}'" in catalogues.problems("zh_CN")
