"""What a format is to the rest of the program, and how the right one is found for a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.children.workers import Workers
from workbench.core.errors import BadInput
from workbench.core.graph import Model
from workbench.core.messages import msg
from workbench.core.steps import Context
from workbench.core.verdict import Verdict
from workbench.formats.content import foreign, read_head


@dataclass(frozen=True, slots=True)
class Importer:
    """A format that can be opened.

    ``suffixes`` in lower case with the dot. ``sniff`` gets the first 4096 bytes (fewer of a shorter
    file). ``open`` raises BadInput for a damaged file.
    """

    name: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    open: Callable[[Path, Workers, Context], Model]


@dataclass(frozen=True, slots=True)
class Exporter:
    """A way to write a model down for other programs.

    ``write`` gets the model, the verdicts by node id (None where the model was not checked), and
    the file to write.
    """

    name: str
    suffix: str
    write: Callable[[Model, Mapping[str, Verdict] | None, Path], None]


def knows(path: Path, importers: Sequence[Importer]) -> bool:
    """Whether one of ``importers`` knows the content of ``path``. Raises BadInput where it cannot be read."""
    head = read_head(path)
    return any(importer.sniff(head) for importer in importers)


def open_model(path: Path, importers: Sequence[Importer], workers: Workers, ctx: Context) -> Model:
    """The model in ``path``, opened by the importer that knows its content, else by its suffix.

    Raises BadInput that says what the file is, where no importer opens it.
    """
    head = read_head(path)
    for importer in importers:
        if importer.sniff(head):
            return importer.open(path, workers, ctx)
    if (known := foreign(head)) is not None:
        what, hint = known
        raise BadInput(what, where=str(path), hint=hint)
    for importer in importers:
        if path.suffix.lower() in importer.suffixes:
            return importer.open(path, workers, ctx)
    raise BadInput(
        msg("This is no model of a kind that is known here"),
        where=str(path),
        hint=msg("Kinds that can be opened: {names}.", names=", ".join(importer.name for importer in importers)),
    )
