import pytest
from PySide6.QtCore import Qt

from tests.ui.live import scenarios as made
from workbench.core.op import Op
from workbench.core.run import RunSummary
from workbench.ui.live.ops import MS, NAME, SHARE, TYPE, OpsTable, rows_of
from workbench.ui.theme.apply import apply_theme, dress

OPS = (
    Op("/features/conv1", "Convolution", 1.25, 20),
    Op("/features/relu", "ReLU", 0.05, 20),
    Op("/classifier/Gemm\x1b]0;x\x07", "Convolution", 2.5, 20),
    Op("/softmax", "Softmax", 0.2, 20),
)


@pytest.fixture
def table(qapp, on_screen):
    apply_theme(qapp, "light")
    made = OpsTable()
    dress(made)
    return on_screen(made, 640, 400)


def column(table, which):
    model = table.view.model()
    return [model.index(row, which).data() for row in range(model.rowCount())]


def test_the_slowest_op_comes_first_and_shares_add_up(table):
    table.show_ops(OPS)
    assert column(table, MS) == ["2.500", "1.250", "0.200", "0.050"]
    assert column(table, SHARE) == ["62.5 %", "31.2 %", "5.0 %", "1.2 %"]
    assert sum(row.share for row in rows_of(OPS)) == pytest.approx(1)


def test_a_click_on_a_head_sorts_by_its_values_not_by_its_text(table):
    table.show_ops((*OPS, Op("slow", "Convolution", 10.5, 20)))
    table.view.sortByColumn(MS, Qt.SortOrder.AscendingOrder)
    assert column(table, MS) == ["0.05", "0.20", "1.25", "2.50", "10.50"]
    table.view.sortByColumn(TYPE, Qt.SortOrder.DescendingOrder)
    assert column(table, TYPE)[0] == "Softmax"


def test_names_from_the_device_are_shown_without_control_characters(table):
    table.show_ops(OPS)
    assert "\x1b" not in "".join(column(table, NAME))


def test_ops_of_no_time_have_no_share(table):
    table.show_ops((Op("a", "Const", 0.0, 1),))
    assert column(table, SHARE) == ["0.0 %"]
    assert not table.grab().isNull()


def test_a_run_without_per_op_times_says_so(table):
    table.show_ops(())
    assert not table.view.isVisible()


def test_a_run_with_per_op_times_offers_them(charts, qtbot):
    charts.begin("Run 1")
    charts.add(tuple(made.steady_run([10.0] * 9)))
    assert not charts.header.ops.isVisible()
    charts.finish(RunSummary(1, 1, None, None, {}, OPS, None, {}, {}, 0))
    qtbot.mouseClick(charts.header.ops, Qt.MouseButton.LeftButton)
    assert charts.ops.isVisible()
    assert column(charts.ops, MS)[0] == "2.500"
    qtbot.mouseClick(charts.header.ops, Qt.MouseButton.LeftButton)
    assert charts.view.isVisible()
