"""The tooltip of what is under the pointer: name, op and verdict, as plain text."""

from __future__ import annotations

from workbench.core.verdict import Verdict
from workbench.ui.graph import texts
from workbench.ui.graph.hierarchy import Item
from workbench.ui.text import say
from workbench.ui.widgets.badge import status_word
from workbench.ui.widgets.labels import as_tooltip


def item_tip(item: Item, verdict: Verdict | None) -> str:
    """``verdict`` None: no check has spoken of it."""
    if item.node is None:
        return as_tooltip(texts.title(item), texts.contents(item) if item.is_group else texts.detail(item))
    reason = f": {say(verdict.reason)}" if verdict is not None and verdict.reason else ""
    said = [status_word(verdict.status) + reason] if verdict is not None else []
    return as_tooltip(item.node.op, item.node.title, *said)
