"""What is selected, and what was before: values, changed by making new ones. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

_MOST_REMEMBERED: Final = 100


@dataclass(frozen=True, slots=True)
class Chosen:
    """Keys in the order they were chosen; the last is the current one.

    ``past`` and ``future`` are the selections that Alt+Left and Alt+Right lead to.
    """

    keys: tuple[str, ...] = ()
    past: tuple[tuple[str, ...], ...] = ()
    future: tuple[tuple[str, ...], ...] = ()

    @property
    def current(self) -> str | None:
        return self.keys[-1] if self.keys else None

    def with_keys(self, keys: tuple[str, ...]) -> Chosen:
        """``keys`` selected; what was before goes to the past, unless it was nothing."""
        if keys == self.keys:
            return self
        past = (*self.past, self.keys)[-_MOST_REMEMBERED:] if self.keys else self.past
        return Chosen(keys, past, ())

    def with_toggled(self, key: str) -> Chosen:
        if key in self.keys:
            return self.with_keys(tuple(other for other in self.keys if other != key))
        return self.with_keys((*self.keys, key))

    def back(self) -> Chosen:
        """The selection before; itself where there is none."""
        if not self.past:
            return self
        future = (self.keys, *self.future) if self.keys else self.future
        return replace(self, keys=self.past[-1], past=self.past[:-1], future=future)

    def forward(self) -> Chosen:
        """The selection after, once ``back`` was gone."""
        if not self.future:
            return self
        past = (*self.past, self.keys) if self.keys else self.past
        return replace(self, keys=self.future[0], past=past, future=self.future[1:])
