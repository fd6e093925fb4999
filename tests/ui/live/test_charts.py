import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.ui.live import scenarios as made
from workbench.core.errors import BadInput
from workbench.core.protocol import Memory
from workbench.core.run import Budget, RunOutputs, RunSummary
from workbench.ui.theme.apply import apply_theme, dress
from workbench.ui.theme.tokens import DARK, LIGHT

BUDGET = Budget(load_ms=300, p90_ms=50, peak_kb=293_000, heating_c=8)


def picture(widget):
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def drawn(charts):
    """The picture without the header: buttons change with focus and hover."""
    return picture(charts.view)


def near(one, other, reach=40):
    return max(abs(a - b) for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)) <= reach


def colours_at(image, x, y, reach=2):
    spots = [(x + dx, y + dy) for dx in range(-reach, reach + 1) for dy in range(-reach, reach + 1)]
    return [image.pixelColor(*spot) for spot in spots if image.valid(*spot)]


def shows(image, x, y, colour, reach=2):
    return any(near(found, QColor(colour)) for found in colours_at(image, round(x), round(y), reach))


def test_nothing_is_drawn_before_a_run(charts):
    assert not charts.view.isVisible()
    assert charts.recording is None


def test_the_picture_moves_while_events_come(charts, qtbot):
    events = list(made.phone_run(seconds=10, throttle=None))
    charts.begin("Run 1")
    charts.add(tuple(events[:150]))
    qtbot.waitUntil(lambda: charts.view.frame.layout.lanes[0].scale is not None)
    before = drawn(charts)
    charts.add(tuple(events[150:]))
    qtbot.waitUntil(lambda: drawn(charts) != before)


def test_adding_does_not_draw(charts):
    charts.begin("Run 1")
    before = charts.view.frame
    charts.add(tuple(made.steady_run([10.0] * 50)))
    assert charts.view.frame is before


def test_the_p50_line_is_where_its_value_says(charts, feed):
    feed(made.steady_run([10.0] * 50 + [14.0] * 50))
    layout = charts.view.frame.layout
    image = drawn(charts)
    for t, ms in ((1.0, 10.0), (4.2, 14.0)):
        x = layout.x(layout.span.origin + t)
        assert shows(image, x, layout.lanes[0].y(ms), LIGHT.series[0])


def test_memory_is_an_area_down_to_its_baseline(charts, feed):
    feed(made.steady_run([10.0] * 100))
    layout = charts.view.frame.layout
    image = drawn(charts)
    x = layout.x(layout.span.origin + 2)
    assert shows(image, x, layout.lanes[1].y(102.4), LIGHT.series[2])
    inside = image.pixelColor(round(x), round(layout.lanes[1].y(37)))
    assert near(inside, QColor("#DBEDEA"), 12)  # 14 % of the series' green on white


def test_the_time_axis_has_its_zero_at_the_first_steady_run(charts, feed):
    feed(made.steady_run([10.0] * 20))
    span = charts.view.frame.layout.span
    assert span.origin == pytest.approx(0.35)
    assert span.left <= span.origin < span.right


def test_budgets_are_dashed_lines_at_their_limit(charts, feed):
    charts.set_budget(BUDGET)
    feed(made.phone_run(seconds=10, throttle=None))
    layout = charts.view.frame.layout
    image = drawn(charts)
    y = round(layout.lanes[0].y(50))
    row = [image.pixelColor(x, y) for x in range(round(layout.left) + 150, round(layout.right))]
    dashes = sum(near(colour, QColor(LIGHT.wrong.fg)) for colour in row)
    assert len(row) * 0.3 < dashes < len(row) * 0.8


def test_throttling_is_marked_from_where_it_began(charts, feed):
    feed(made.phone_run())
    layout = charts.view.frame.layout
    image = drawn(charts)
    y = round(layout.top + 30)
    start = layout.x(layout.slowdown.start)
    amber = [image.pixelColor(round(start + dx), y) for dx in range(4, 40)]
    assert any(near(colour, QColor("#FFF7E4"), 10) for colour in amber)
    assert near(image.pixelColor(round(start - 20), y), QColor(LIGHT.panel), 2)


def test_a_paused_picture_holds_and_nothing_is_lost(charts, qtbot):
    events = list(made.phone_run(seconds=10, throttle=None))
    charts.begin("Run 1")
    charts.add(tuple(events[:200]))
    qtbot.waitUntil(lambda: charts.view.frame.layout.lanes[0].scale is not None)
    charts.pause(True)
    frame = charts.view.frame
    charts.add(tuple(events[200:]))
    told = charts.updated
    with qtbot.waitSignal(told, timeout=3000):  # the timer has ticked
        pass
    assert charts.view.frame is frame
    charts.pause(False)
    assert charts.view.frame is not frame
    assert len(charts.recording.runs) == sum(type(event).__name__ == "Sample" for event in events)


def test_a_new_run_starts_from_nothing(charts, feed):
    feed(made.phone_run(seconds=5, throttle=None))
    charts.begin("Run 2")
    assert len(charts.recording.runs) == 0
    assert charts.view.frame.layout.lanes[0].scale is None
    assert charts.view.frame.layout.states[0] == "waiting for the first run"


def test_clearing_shows_the_empty_state_again(charts, feed):
    feed(made.steady_run([10.0]))
    charts.clear()
    assert not charts.view.isVisible()


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    "events",
    [
        pytest.param([], id="nothing"),
        pytest.param([made.hello()], id="hello alone"),
        pytest.param(list(made.steady_run([12.5])), id="one run"),
        pytest.param(list(made.steady_run([12.5, 12.6, 12.7])), id="three runs"),
        pytest.param(list(made.steady_run([0.0] * 8)), id="runs of no time"),
        pytest.param(list(made.steady_run([10.0] * 300 + [1e6])), id="a huge outlier"),
        pytest.param(list(made.steady_run([10.0] * 9, baseline=Memory(), rss_kb=-1)), id="no memory"),
        pytest.param(list(made.phone_run(seconds=3, throttle=None, temperature=False)), id="clock without temperature"),
    ],
)
def test_every_state_can_be_painted_at_every_size(charts, feed, qapp, mode, events):
    apply_theme(qapp, mode)
    dress(charts)
    charts.set_budget(BUDGET)
    feed(events)
    for size in ((760, 720), (360, 240), (1600, 900)):
        charts.resize(*size)
        charts.view.set_cursor_time(0.3)
        image = picture(charts)
        assert image.width() == size[0]
    charts.begin("again")


def test_quantities_that_the_device_does_not_tell_take_one_line(charts, feed):
    feed(made.steady_run([10.0] * 9, baseline=Memory(), rss_kb=-1))
    layout = charts.view.frame.layout
    assert layout.states == ("", "not available on this device", "not available on this device")
    assert layout.lanes[1].box.height() < 20
    assert layout.lanes[0].box.height() > 400


def test_a_low_window_keeps_the_latency(charts, feed):
    feed(made.phone_run(seconds=3, throttle=None))
    charts.resize(600, 300)
    assert len(charts.view.frame.layout.lanes) == 1
    charts.resize(600, 600)
    assert len(charts.view.frame.layout.lanes) == 3


def test_wrong_outputs_get_no_dot_and_a_note(charts):
    charts.begin("Run 1")
    charts.add(tuple(made.steady_run([10.0] * 50)))
    charts.finish(None)
    layout = charts.view.frame.layout
    x, y = layout.x(charts.recording.runs.t.last), layout.lanes[0].y(10.0)
    assert shows(drawn(charts), x + 2, y, LIGHT.series[0], reach=0)
    charts.finish(RunSummary(1, 1, None, None, {}, (), RunOutputs(0.3, right=False), {}, {}, 0))
    assert not shows(drawn(charts), x + 2, y, LIGHT.series[0], reach=0)
    assert "The outputs are wrong" in charts.caption.text()


def test_the_theme_switches_while_a_run_is_shown(charts, feed, qapp):
    feed(made.steady_run([10.0] * 50))
    assert near(drawn(charts).pixelColor(725, 10), QColor(LIGHT.panel), 2)
    apply_theme(qapp, "dark")
    dress(charts)
    QApplication.processEvents()
    layout = charts.view.frame.layout
    image = drawn(charts)
    assert near(image.pixelColor(725, 10), QColor(DARK.panel), 2)
    assert shows(image, layout.x(layout.span.origin + 1.5), layout.lanes[0].y(10.0), DARK.series[0])


def test_larger_letters_get_more_room(charts, feed, qapp):
    feed(made.steady_run([10.0] * 50))
    before = charts.view.frame.layout.left
    apply_theme(qapp, "light", scale=1.5)
    dress(charts)
    QApplication.processEvents()
    assert charts.view.frame.layout.left == pytest.approx(1.5 * before, abs=2)


def test_a_screen_of_other_pixels_has_the_charts_drawn_anew(charts, feed):
    feed(made.steady_run([10.0] * 50))
    before = charts.view.frame
    QApplication.sendEvent(charts.view, QEvent(QEvent.Type.DevicePixelRatioChange))
    assert charts.view.frame is not before


def test_the_crosshair_is_moved_by_keys_and_told_to_screen_readers(charts, feed, qtbot):
    feed(made.steady_run([10.0, 11.0, 12.0, 13.0]))
    view = charts.view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.accessibleDescription().startswith("0.120 s, run 5; Latency 13.0 ms; Memory +102.4 MB")
    qtbot.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert "run 4; Latency 12.0 ms" in view.accessibleDescription()
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert "run 1; Latency 60.0 ms" in view.accessibleDescription()
    assert "Temperature not available" in view.accessibleDescription()
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.accessibleDescription() == ""


def _move(view, x):
    place = QPointF(x, 150)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        place,
        view.mapToGlobal(place),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view.viewport(), event)


def test_the_crosshair_follows_the_mouse_to_the_nearest_run(charts, feed):
    feed(made.steady_run([10.0, 11.0, 12.0, 13.0]))
    layout = charts.view.frame.layout
    _move(charts.view, layout.x(layout.span.origin + 0.04) + 3)
    assert "run 3; Latency 11.0 ms" in charts.view.tip_text
    _move(charts.view, layout.right + 20)
    assert charts.view.tip_text == ""


def test_where_there_is_no_run_the_crosshair_says_so(charts, feed):
    feed(made.steady_run([10.0, 11.0], gap=1.0))
    layout = charts.view.frame.layout
    _move(charts.view, layout.x(layout.span.origin + 0.5))
    assert "Latency no run here" in charts.view.tip_text


def _wheel(view, x, steps):
    event = QWheelEvent(
        QPointF(x, 150),
        view.mapToGlobal(QPointF(x, 150)),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def test_the_wheel_zooms_in_time_around_the_mouse_and_0_fits_again(charts, feed, qtbot):
    feed(made.phone_run(seconds=20, throttle=None))
    view = charts.view
    before = view.frame.layout
    whole = before.span
    x = before.x(whole.origin + 10)
    _wheel(view, x, 5)
    zoomed = view.frame.layout
    assert zoomed.span.width < 0.5 * whole.width
    assert zoomed.x(whole.origin + 10) == pytest.approx(x, abs=1)
    assert zoomed.lanes[0].scale == before.lanes[0].scale
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert view.frame.layout.span == whole


def test_the_scale_of_latency_does_not_jump_with_every_batch(charts):
    charts.begin("Run 1")
    scales = set()
    events = list(made.phone_run(seconds=40, throttle=None))
    for start in range(0, len(events), 20):
        charts.add(tuple(events[start : start + 20]))
        charts.view.redraw()
        scales.add(charts.view.frame.layout.lanes[0].scale)
    assert len(scales) <= 6


def test_the_charts_are_exported_at_twice_the_size(charts, feed, tmp_path):
    feed(made.phone_run(seconds=5, throttle=None))
    file = tmp_path / "charts.png"
    before = drawn(charts)
    charts.export_image(file)
    image = QImage(str(file))
    assert (image.width(), image.height()) == (2 * charts.width(), 2 * charts.height())
    layout = charts.view.frame.layout
    top = charts.view.mapTo(charts, QPoint(0, 0)).y()
    x, y = layout.x(layout.span.origin + 2), layout.lanes[0].y(38.5) + top
    assert shows(image, 2 * x, 2 * y, LIGHT.series[0], reach=6)
    assert drawn(charts) == before


def test_an_export_to_nowhere_says_where(charts, feed, tmp_path):
    feed(made.steady_run([10.0]))
    with pytest.raises(BadInput) as caught:
        charts.export_image(tmp_path / "missing" / "charts.png")
    assert "charts.png" in caught.value.where


def test_what_a_simulated_device_makes_up_is_not_shown_as_measured(charts, qtbot):
    charts.begin("Run 1", simulated=True)
    charts.add(tuple(made.phone_run(seconds=5, throttle=None)))
    charts.finish(None)
    assert charts.view.frame.layout.simulated
    assert charts.header.simulated.isVisible()
    charts.view.setFocus()
    qtbot.keyClick(charts.view, Qt.Key.Key_End)
    assert "Temperature, simulated" in charts.view.tip_text
    assert "Clock, simulated" in charts.view.tip_text
    charts.begin("Run 2")
    assert not charts.header.simulated.isVisible()


def test_limits_of_three_percentiles_are_three_lines_with_their_names(charts, feed):
    limits = Budget(p50_ms=45, p90_ms=50, p99_ms=55)
    feed(made.phone_run(seconds=10, throttle=None))
    plain = drawn(charts)
    charts.set_budget(limits)
    image, layout = drawn(charts), charts.view.frame.layout
    for limit in (45, 50, 55):
        y = round(layout.lanes[0].y(limit))
        row = [image.pixelColor(x, y) for x in range(round(layout.left) + 150, round(layout.right))]
        assert sum(near(colour, QColor(LIGHT.wrong.fg)) for colour in row) > 20
    assert image != plain


def test_a_highest_temperature_is_a_line_over_the_temperature(charts, feed):
    charts.set_budget(Budget(temperature_c=40))
    feed(made.phone_run(seconds=10, throttle=None))
    image, layout = drawn(charts), charts.view.frame.layout
    y = round(layout.lanes[2].y(40))
    row = [image.pixelColor(x, y) for x in range(round(layout.left) + 150, round(layout.right))]
    assert sum(near(colour, QColor(LIGHT.wrong.fg)) for colour in row) > 20
