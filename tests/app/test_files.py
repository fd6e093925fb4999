from __future__ import annotations

from pathlib import Path

import pytest

from workbench.app import files
from workbench.core.errors import BadInput


def test_a_new_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "events"
    with files.new_file(path) as file:
        file.write(b"one")
        assert not path.exists()
        file.write(b" two")
    assert path.read_bytes() == b"one two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_that_fails_keeps_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "events"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), files.new_file(path) as file:
        file.write(b"new" * (1 // 0))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_lone_surrogate_is_written_as_an_escape(tmp_path: Path) -> None:
    files.write_document(tmp_path / "d.json", {"path": "\udcff.onnx"})
    assert b"\\udcff" in (tmp_path / "d.json").read_bytes()


@pytest.mark.parametrize("path", ["/proc/x.json", "nowhere/x.json", "x" * 300])
def test_what_cannot_be_written_is_bad_input_that_names_the_file(path: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written") as caught:
        files.write_text(tmp_path / path, "text")
    assert caught.value.where == str(tmp_path / path)
    assert caught.value.hint is not None


def test_staged_files_come_in_order_and_what_is_not_staged_goes(tmp_path: Path) -> None:
    (tmp_path / "m.weight").write_text("of an older one")
    (tmp_path / "m").write_text("old")
    with files.staged(tmp_path) as stage:
        (stage / "m").write_text("new")
        files.put_in_place(stage, (tmp_path / "m.weight", tmp_path / "m"))
    assert (tmp_path / "m").read_text() == "new"
    assert list(tmp_path.iterdir()) == [tmp_path / "m"]


def test_a_stage_is_removed_after_a_fault(tmp_path: Path) -> None:
    with pytest.raises(BadInput), files.staged(tmp_path) as stage:
        files.write_text(stage / "nowhere" / "m", "new")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_text_and_one_that_is_not_there_are_bad_input(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="UTF-8"):
        files.read_text(tmp_path / "binary")
    with pytest.raises(BadInput, match="cannot be read"):
        files.read_text(tmp_path / "none")
    with pytest.raises(BadInput, match="no such file"):
        files.must_be_there(tmp_path)
