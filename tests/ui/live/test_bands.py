import itertools

from hypothesis import given
from hypothesis import strategies as st

from workbench.ui.live.bands import Band, flags


def _width(word):
    return 7.0 * len(word)


def _join(parts):
    return ", ".join(parts)


def _place(bands, limit=600):
    return [(flag.word, flag.x, flag.row) for flag in flags(bands, _width, limit, _join)]


def test_wide_bands_hold_their_words():
    assert _place([Band("Push", 0, 100), Band("Steady", 100, 600)]) == [("Push", 0, 0), ("Steady", 100, 0)]


def test_a_narrow_band_gets_a_flag_on_the_second_row():
    bands = [Band("Push", 0, 100), Band("Load", 100, 108), Band("Warm-up", 108, 200), Band("Steady", 200, 600)]
    assert ("Load", 100, 1) in _place(bands)


def test_flags_that_would_overlap_are_joined():
    bands = [Band("Push", 0, 4), Band("Load", 4, 8), Band("Steady", 8, 600)]
    assert _place(bands) == [("Push, Load", 0, 1), ("Steady", 8, 0)]


def test_no_word_leaves_the_plot():
    word, x, _ = _place([Band("Steady", 590, 600)])[0]
    assert x + _width(word) <= 600


@given(st.lists(st.floats(0, 590), min_size=1, max_size=6))
def test_words_of_one_row_never_overlap(starts):
    edges = [*sorted(starts), 600.0]
    bands = [Band("Phase", left, right) for left, right in itertools.pairwise(edges)]
    placed = flags(bands, _width, 10_000, _join)
    for row in (0, 1):
        ends = [(flag.x, flag.x + _width(flag.word)) for flag in placed if flag.row == row]
        assert all(one[1] <= other[0] for one, other in itertools.pairwise(ends))
