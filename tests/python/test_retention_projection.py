# SPDX-License-Identifier: Apache-2.0
"""Compares equations 13 and 15 to 18 of the study on retention relaxation (Liu et al., FAST 2012) with streams of
writes and a printed table.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nandscape import retention_relaxation as rr

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from retention.analysis import allows, half_a_digit, interval, most_extra_writes_per_year, overwritten_percent, value
from retention.published import DAY_S, GB, VOLUMES, WEEK_S

streams = st.lists(st.integers(0, 9), min_size=1, max_size=60)


@given(streams)
def test_all_writes_but_the_last_of_each_sector_are_overwritten(stream):
    overwritten = sum(sector in stream[k + 1 :] for k, sector in enumerate(stream))
    assert rr.overwritten_share(len(stream), len(set(stream))) == pytest.approx(overwritten / len(stream))


@given(streams, st.integers(1, 5), st.integers(0, 20))
def test_the_bound_holds_for_streams_that_repeat(stream, k, more):
    """Each period writes the same number of times to the same number of sectors. The disk is large enough for all of
    them.
    """
    n, w = len(stream), len(set(stream))
    periods = [(sector + period) % 10 for period in range(k) for sector in stream]
    overwritten = 1 - len(set(periods)) / len(periods)
    assert overwritten >= rr.least_overwritten_share(n, w, 10 + more, k) - 1e-12


def test_the_bound_is_the_larger_of_two():
    assert rr.least_overwritten_share(100, 20, 50) == pytest.approx(0.8)
    assert rr.least_overwritten_share(100, 20, 50, 2) == pytest.approx(0.8)
    assert rr.least_overwritten_share(100, 20, 50, 10) == pytest.approx(0.95)


@pytest.mark.parametrize("name", VOLUMES)
def test_every_printed_digit_of_table_2(name):
    volume = VOLUMES[name]
    for weeks, printed in volume.shares.items():
        formula = overwritten_percent(volume, weeks)
        limits = interval(formula, volume)
        assert limits[0] <= value(formula, volume) <= limits[1]
        assert f"{value(formula, volume):.1f}" == printed or allows(limits, printed), weeks
        assert limits[1] - limits[0] < 1, "the interval says something"


def test_rounding():
    assert half_a_digit("149") == pytest.approx(0.5)
    assert half_a_digit("12.1") == pytest.approx(0.05)
    assert allows((1.0, 1.2), "1.2")
    assert not allows((1.0, 1.1), "1.2")


def test_what_is_written_again():
    # hd2 writes 726.3 GB a day to a disk of 737.6 GB. Within a week, the size of the disk limits the amount of data
    # that must be reprogrammed.
    rate = rr.reprogramming_bytes_per_s(726.3 * GB, 313.3 * GB, 737.6 * GB, DAY_S, 7)
    assert rate == pytest.approx(737.6 * GB / WEEK_S)
    assert rr.extra_writes_per_year(rate, 737.6 * GB) == pytest.approx(most_extra_writes_per_year(2))
    assert most_extra_writes_per_year(2) == pytest.approx(52.1, abs=0.05)
    # proj_2 overwrites little of its data within a week, so almost all data must be reprogrammed.
    assert rr.reprogramming_bytes_per_s(168.4 * GB, 155.1 * GB, 816.2 * GB, WEEK_S) == pytest.approx(
        155.1 * GB / WEEK_S
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: rr.overwritten_share(0, 0),
        lambda: rr.overwritten_share(1, 2),
        lambda: rr.overwritten_share(float("inf"), 1),
        lambda: rr.least_overwritten_share(10, 5, 4),
        lambda: rr.least_overwritten_share(10, 5, 10, 0),
        lambda: rr.reprogramming_bytes_per_s(10, 5, 10, 0),
        lambda: rr.extra_writes_per_year(-1, 10),
        lambda: rr.extra_writes_per_year(1, 0),
    ],
)
def test_numbers_that_say_nothing_are_refused(call):
    with pytest.raises(ValueError, match=r"\w"):
        call()
