"""Texts of the window in the user's language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from workbench.core.messages import Argument, Message, Translate, msg


class _Catalogue:
    """The look-up in use; English until the program sets another."""

    translate: Translate = str


def set_translator(translate: Translate) -> None:
    """Use ``translate`` for every text asked for from now on. Widgets made before keep theirs."""
    _Catalogue.translate = staticmethod(translate)


def tr(template: str, /, **arguments: Argument) -> str:
    """``template`` in the user's language, its ``{name}`` places filled; the extractor looks for this name."""
    return say(msg(template, **arguments))


def say(message: Message) -> str:
    """A message of a step or an error in the user's language."""
    return message.render(_Catalogue.translate)


def listed(parts: Sequence[str]) -> str:
    """ "4 threads, precision low", with the comma of the user's language."""
    return reduce(lambda one, two: tr("{one}, {two}", one=one, two=two), parts) if parts else ""


def sentences(parts: Sequence[str]) -> str:
    """Sentences one after the other; Chinese has no space between them."""
    return reduce(lambda one, two: tr("{one} {two}", one=one, two=two), parts) if parts else ""
