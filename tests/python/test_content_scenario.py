# SPDX-License-Identifier: Apache-2.0
"""Tests of the scenario that compares writing by content with its paper, and of the scenario's device model."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import nandscape as ns
from conftest import check_shown, check_standings, pictures_of
from nandscape.content import map_counts

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from content.device import FILES, Assumptions, Device, Latency, cdber, mapping_by_share
from content.gains import gains
from content.system import READ_US, execution

SCENARIO = "content_aware_writes.py"
PAGES = 4000
# Table I of Sha et al.: the shares of the states 11, 10, 01 and 00 in percent, for each kind of file.
PRINTED = {
    "system_files": (13.67, 17.78, 19.57, 48.98),
    "email": (19.15, 36.12, 19.50, 25.23),
    "codes": (17.16, 15.78, 16.28, 50.78),
    "movie": (28.24, 23.73, 23.61, 24.42),
    "db_data": (20.73, 19.74, 19.48, 40.05),
    "game": (20.47, 24.60, 24.60, 30.33),
    "music": (20.98, 23.34, 23.43, 32.25),
    "office": (22.74, 20.80, 20.25, 36.21),
}


def test_equations_4_and_5():
    errors = np.array([[0, 1], [10, 100], [1000, 10000], [100000, 0]]) * 1e-6
    shares = [0.1, 0.2, 0.3, 0.4]
    assert cdber("msb", errors, shares) == pytest.approx((0.2 * 100 + 0.3 * 1000) * 1e-6)
    expected = 0.1 * 1 + 0.2 * 110 + 0.3 * 11000 + 0.4 * 100000
    assert cdber("lsb", errors, [shares, shares]) == pytest.approx(np.full(2, expected * 1e-6))


def test_the_most_frequent_state_becomes_11():
    states = np.array([[20, 30, 40, 10], [25, 25, 25, 25]], np.uint32)
    mapping = mapping_by_share(states)
    assert map_counts(states, mapping).tolist() == [[40, 30, 20, 10], [25, 25, 25, 25]]
    assert mapping[1] == 0, "states that are equally frequent keep their order"


@pytest.fixture(scope="module")
def device():
    return Device(PAGES, 1)


def test_it_succeeds(done):
    assert pictures_of(done) == 8


def test_all_figures_stand(rows):
    assert check_standings(rows) == {"within": 29, "predicted": 1, "fitted": 6, "by construction": 1}


def test_one_number_of_the_pages_is_fitted(rows):
    """Only one fitted value describes the pages. All other fitted values are constants of the cells."""
    fitted = {name: row["fitted_by"] for name, row in rows.items() if "fitted" in row}
    assert [name for name, by in fitted.items() if "standard deviation" in by] == ["content.levels_s2_to_s5"]
    assert all("Table" in by for name, by in fitted.items() if name != "content.levels_s2_to_s5")


@pytest.mark.parametrize("kind", FILES)
def test_table_1_is_the_profiles(kind):
    """The shares are multiples of one cell in 512, so they agree only within this step."""
    assert sum(PRINTED[kind]) == pytest.approx(100)
    as_printed = Device(80, 1, Assumptions(exchanged=False, of_pages=0, of_segments=0), files=(kind,))
    assert 100 * as_printed.states.mean(axis=0) / 16384 == pytest.approx(PRINTED[kind], abs=0.2)


def test_parts_add_up(device):
    """The gains of LSB pages and MSB pages add up to the gain of both, and the cells of the segments add up to the
    cells of the page."""
    found = gains(device)
    for gain in (found["write"].by_page, found["read"].by_page):
        assert gain["lsb"] + gain["msb"] == pytest.approx(gain["both"])
    for number in (1, 2, 8, 32):
        assert (device.segments(number).sum(axis=1) == device.states).all()
    assert found["write"].used.sum() == pytest.approx(1)
    assert found["write"].mapped >= found["write"].mapped_by_share > 0


def test_gains_are_of_the_whole_latency():
    slow, fast = Latency(200, 200), Latency(100, 150)
    assert fast.less_than(slow) == pytest.approx(37.5)
    assert (fast.less_than(slow, "lsb"), fast.less_than(slow, "msb")) == (25, 12.5)
    quick_bus, slow_bus = (gains(Device(PAGES, 1, Assumptions(byte_ns=ns)))["write"] for ns in (0, 40))
    assert quick_bus.by_page["both"] > 1.5 * slow_bus.by_page["both"]
    assert np.array_equal(quick_bus.used, slow_bus.used)


def test_seeds_differ_and_repeat():
    first, again, other = (Device(80, seed).finest for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_an_idle_drive_takes_what_the_device_takes(device):
    """On an idle drive, commands, the link and the driver add at most 5 us to the times of the device. A read also
    takes its sensing time.
    """
    alone = ns.synthetic(requests=1000, queue_depth=1, read_percent=50, block_bytes=4096)
    before = execution({}, alone)
    assert 0 < before.write_us - device.traditional_write.both < 5
    assert 0 < before.read_us - device.traditional_read.both - np.mean(READ_US) < 5
    faster = {"nand.timing.program": "given", "nand.timing.t_prog_us": 130}
    with pytest.warns(ns.ConfigWarning, match="nand.cells.set"):
        gain = execution(faster, alone).less_than(before)
    assert gain["write"] == pytest.approx(100 * 70 / before.write_us, rel=0.01)
    assert gain["read"] == 0
    # The number of reads equals the number of writes.
    assert gain["all"] == pytest.approx(100 * 70 / (before.write_us + before.read_us), rel=0.05)


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)
