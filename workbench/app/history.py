"""Undo and redo: what a person decides about a model is a value, so history is a list of those with labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.core.messages import Message
from workbench.core.plan import QuantPlan


@dataclass(frozen=True, slots=True)
class Entry:
    """``label`` says what led here; None for what the history began with.

    ``rewriting``: a model that is not right as it is may be rewritten, exactly, when it is converted.
    """

    label: Message | None
    plan: QuantPlan
    rewriting: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """``entries[at]`` is what holds now."""

    entries: tuple[Entry, ...] = (Entry(None, QuantPlan()),)
    at: int = 0

    @property
    def plan(self) -> QuantPlan:
        return self.entries[self.at].plan

    @property
    def rewriting(self) -> bool:
        return self.entries[self.at].rewriting

    @property
    def undo_label(self) -> Message | None:
        """What undo would take back, None where there is nothing."""
        return self.entries[self.at].label if self.at > 0 else None

    @property
    def redo_label(self) -> Message | None:
        return self.entries[self.at + 1].label if self.at + 1 < len(self.entries) else None

    def with_plan(self, label: Message, plan: QuantPlan) -> History:
        """A new plan on top; what had been undone is gone. An equal plan changes nothing."""
        return self._with(Entry(label, plan, self.rewriting))

    def with_rewriting(self, label: Message, on: bool) -> History:
        """Rewriting switched on or off on top; what is so already changes nothing."""
        return self._with(Entry(label, self.plan, on))

    def _with(self, entry: Entry) -> History:
        if (entry.plan, entry.rewriting) == (self.plan, self.rewriting):
            return self
        entries = (*self.entries[: self.at + 1], entry)
        return History(entries, len(entries) - 1)

    def undone(self) -> History:
        return replace(self, at=max(0, self.at - 1))

    def redone(self) -> History:
        return replace(self, at=min(len(self.entries) - 1, self.at + 1))
