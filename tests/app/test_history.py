from __future__ import annotations

from workbench.app.history import History
from workbench.core.messages import msg
from workbench.core.plan import FLOAT, LayerQuant, QuantPlan

EIGHT = QuantPlan(default=LayerQuant(8))
FOUR = EIGHT.with_layer("conv", LayerQuant(4))


def test_undo_takes_back_the_last_change_and_redo_brings_it_again() -> None:
    history = History().with_plan(msg("All to 8 bit"), EIGHT).with_plan(msg("conv to 4 bit"), FOUR)
    assert history.plan == FOUR
    assert str(history.undo_label) == "conv to 4 bit"
    undone = history.undone()
    assert undone.plan == EIGHT
    assert str(undone.redo_label) == "conv to 4 bit"
    assert undone.redone().plan == FOUR


def test_a_change_after_an_undo_forgets_what_was_undone() -> None:
    history = History().with_plan(msg("a"), EIGHT).undone().with_plan(msg("b"), FOUR)
    assert history.redo_label is None
    assert [str(entry.label) for entry in history.entries[1:]] == ["b"]


def test_a_change_to_the_same_plan_is_no_entry() -> None:
    history = History().with_plan(msg("a"), EIGHT)
    assert history.with_plan(msg("again"), EIGHT) is history


def test_rewriting_is_undone_by_itself_and_stays_on_under_other_plans() -> None:
    history = History().with_plan(msg("a"), EIGHT).with_rewriting(msg("Fix all"), True)
    assert history.rewriting
    assert history.plan == EIGHT
    assert history.with_rewriting(msg("again"), True) is history
    assert history.with_plan(msg("b"), FOUR).rewriting
    assert not history.undone().rewriting
    assert history.undone().redone().rewriting


def test_undo_at_the_beginning_and_redo_at_the_end_stay_there() -> None:
    assert History().undone() == History()
    assert History().redone() == History()


def test_a_layer_set_to_the_default_is_not_listed() -> None:
    assert FOUR.with_layer("conv", LayerQuant(8)).layers == {}
    assert FOUR.with_default(LayerQuant(4)).layers == {}
    assert FOUR.of("conv") == LayerQuant(4)
    assert QuantPlan().of("other") == FLOAT
