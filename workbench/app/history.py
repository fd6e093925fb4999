"""Undo and redo: plans are values, so history is a list of them with labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.core.messages import Message
from workbench.core.plan import QuantPlan


@dataclass(frozen=True, slots=True)
class Entry:
    """``label`` says what led to ``plan``; None for the plan that the history began with."""

    label: Message | None
    plan: QuantPlan


@dataclass(frozen=True, slots=True)
class History:
    """``entries[at]`` is the current plan."""

    entries: tuple[Entry, ...] = (Entry(None, QuantPlan()),)
    at: int = 0

    @property
    def plan(self) -> QuantPlan:
        return self.entries[self.at].plan

    @property
    def undo_label(self) -> Message | None:
        """What undo would take back, None where there is nothing."""
        return self.entries[self.at].label if self.at > 0 else None

    @property
    def redo_label(self) -> Message | None:
        return self.entries[self.at + 1].label if self.at + 1 < len(self.entries) else None

    def with_plan(self, label: Message, plan: QuantPlan) -> History:
        """A new plan on top; what had been undone is gone. An equal plan changes nothing."""
        if plan == self.plan:
            return self
        entries = (*self.entries[: self.at + 1], Entry(label, plan))
        return History(entries, len(entries) - 1)

    def undone(self) -> History:
        return replace(self, at=max(0, self.at - 1))

    def redone(self) -> History:
        return replace(self, at=min(len(self.entries) - 1, self.at + 1))
