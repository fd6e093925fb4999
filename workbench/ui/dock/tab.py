"""The tabs of the bottom dock."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from workbench.core.messages import Message, msg

OPEN_HEIGHT: Final = 244
"""Of the open dock, in design pixels."""


class Tab(StrEnum):
    LIVE = "live"
    JOBS = "jobs"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class TabLook:
    tab: Tab
    title: Message
    icon: str


TABS: Final = (
    TabLook(Tab.LIVE, msg("Live"), "activity"),
    TabLook(Tab.JOBS, msg("Jobs"), "list-checks"),
    TabLook(Tab.LOG, msg("Log"), "square-terminal"),
)
