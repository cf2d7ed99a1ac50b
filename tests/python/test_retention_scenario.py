# SPDX-License-Identifier: Apache-2.0
"""Tests of the scenario that compares retention relaxation with its paper, and of the calculations it makes without
simulation.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import nandscape as ns
from conftest import check_shown, check_standings, pictures_of

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from physics.liu_2012 import SPEEDUPS
from retention import expected
from retention.arrivals import BUSY, busy, requests, write_mb_per_s
from retention.drive import BASELINE, RELAXED, footprint_pages, independent, serial
from retention.published import HEAVY, LIGHT, PAGE_BYTES, SIMULATED, VOLUMES

SCENARIO = "retention_relaxation.py"


def test_it_succeeds(done):
    assert pictures_of(done) == 8


def test_all_figures_stand(rows):
    assert check_standings(rows) == {"within": 38, "predicted": 1, "fitted": 1}


def test_one_rate_is_fitted_to_one_row(rows):
    assert {name for name, row in rows.items() if "fitted" in row} == {"liu_2012.heavy_speedups"}


def test_the_table_is_printed_digit_by_digit(rows):
    assert rows["liu_2012.table_2_1d"]["tolerance"] == "exact"
    for weeks in ("1w", "5w"):
        row = rows[f"liu_2012.table_2_{weeks}"]
        furthest = max(abs(ours - paper) for ours, paper in zip(row["ours"], row["paper"], strict=True))
        assert furthest < 0.21, "the rounding of the amounts allows no more"


def test_rates_follow_one_rule():
    assert busy("hd1") == pytest.approx(BUSY)
    assert write_mb_per_s("hd2") == write_mb_per_s("hd1")
    factors = [write_mb_per_s(name) / VOLUMES[name].written_mb_per_s for name in (*LIGHT, "hd1")]
    assert factors == pytest.approx([factors[0]] * len(factors))


def test_drives_are_those_of_table_3():
    for name in SIMULATED:
        exported = ns.Simulation(serial(name, 1)).capacity_bytes / 2**30
        assert exported == pytest.approx(VOLUMES[name].exported, rel=0.005), name
    assert footprint_pages(independent("hd1", 1)) == footprint_pages(serial("hd1", 1))


def test_requests_are_as_many_as_the_rate_says():
    columns = requests("hd1", 64 * 200, 1 << 20, 1)
    written = columns["operation"] == "write"
    us, offsets = columns["time_us"][written], columns["offset_bytes"][written]
    assert len(us) == 64 * 200
    assert len(written) == round(len(us) / 0.8)
    assert len(set(us)) == 200, "64 at a time"
    assert offsets[63] - offsets[0] == 63 * PAGE_BYTES
    assert 64 * 200 * PAGE_BYTES / us[-1] == pytest.approx(write_mb_per_s("hd1"), rel=0.05)


def test_speedups_are_those_of_pages_where_nothing_waits():
    queue = expected.Queue(1340.96, 1e-9, 1e-9, 1)
    assert queue.response_us == pytest.approx(1340.96, rel=1e-4)
    for weeks, system in RELAXED.items():
        light = expected.write_speedup("src1_2", system)
        assert light == pytest.approx((1300 + 40.96) / (1300 / SPEEDUPS[weeks] + 40.96), rel=0.01)
        assert light < expected.write_speedup("tpcc2", system) < expected.write_speedup("hd1", system)


def test_queues_shrink_by_more_than_pages_gain():
    """For large batches, the speedup of the waiting time is (s - rho) / (1 - rho), which exceeds the speedup s of a
    write.
    """
    assert expected.queueing_speedup("hd1", RELAXED[2]) > expected.write_speedup("hd1", RELAXED[2])
    overloaded = expected.Queue(1340.96, 1e-3, 0, 1)
    assert overloaded.wait_us == float("inf")


def test_reprogramming_costs_little():
    for name in SIMULATED:
        assert expected.reprogramming_share(name, BASELINE) == 0
        assert expected.slower_by_reprogramming(name, BASELINE) == 1
        assert 1 < expected.slower_by_reprogramming(name, RELAXED[2]) < 1.02
    assert max(SIMULATED, key=lambda name: expected.reprogramming_share(name, RELAXED[2])) in HEAVY


def test_the_documentation_shows_these_figures(rows):
    check_shown(rows, SCENARIO)
