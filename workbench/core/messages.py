"""Messages are values: an English template with named places, and the arguments for them.

The template is the gettext msgid. Windows, the command line and reports render it in the
user's language; JSON documents carry the English text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import TypeAlias

Argument: TypeAlias = "str | int | float | Message"
"""What fills a place; a Message is put into words with the sentence that holds it."""
Translate = Callable[[str], str]


class Message:
    """One sentence for a person. ``template`` holds ``{name}`` places filled from ``arguments``.

    Not a dataclass: the codec writes a Message as its sentence, not field by field.
    """

    __slots__ = ("arguments", "template")

    def __init__(self, template: str, arguments: tuple[tuple[str, Argument], ...] = ()) -> None:
        self.template = template
        self.arguments = arguments

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (self.template, self.arguments) == (other.template, other.arguments)

    def __hash__(self) -> int:
        return hash((self.template, self.arguments))

    def __repr__(self) -> str:
        return f"Message({self.template!r}, {self.arguments!r})"

    def render(self, translate: Translate = str) -> str:
        """The sentence in the language of ``translate``; control characters in arguments are removed."""
        filled = {key: _filled(value, translate) for key, value in self.arguments}
        return translate(self.template).format(**filled)

    def __str__(self) -> str:
        return self.render()


def msg(template: str, /, **arguments: Argument) -> Message:
    """A Message; the catalogue extractor looks for calls of this name."""
    return Message(template, tuple(sorted(arguments.items())))


def _filled(value: Argument, translate: Translate) -> str | int | float:
    if isinstance(value, Message):
        return value.render(translate)
    return plain(value) if isinstance(value, str) else value


def plain(text: str) -> str:
    """``text`` on one line, without terminal escapes, bidirectional overrides or lone surrogates.

    Names from models, phones and projects are data: a tensor may be called ``\\x1b]0;x\\x07``.
    """
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if character in "\t\n\r" or category in ("Zl", "Zp"):
        return " "
    if category in ("Cc", "Cs") or character in _BIDI:
        return "\N{REPLACEMENT CHARACTER}"
    return character


_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")
