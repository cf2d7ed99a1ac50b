# SPDX-License-Identifier: Apache-2.0
"""Tests of content-dependent writes to cells with three bits, alone and together with retention relaxation."""

import pytest

import nandscape as ns

DRIVE = {
    "simulation.cells": "statistical",
    "nand.cells.set": "tlc_3d_48",
    "nand.coding": "tlc_232",
    "nand.timing.program": "ispp",
    "nand.condition.pe_cycles": 1000,
    "controller.content.bound": "exact",
    "controller.content.kept_kilocycles": 3,
    "controller.content.steps_mv": [300, 350, 400, 450, 500, 600],
}
KEPT_WEEKS = "controller.write_mode.kept_weeks"
BY_CONTENT = "controller.write_mode.by_content"
RATIO = "controller.write_mode.step_ratio"


def load(small: ns.Config, **changes) -> ns.Config:
    return small.override(DRIVE | changes)


def write_us(small: ns.Config, **changes) -> float:
    writes = ns.synthetic(read_percent=0, requests=300, block_bytes=16384, queue_depth=1)
    result = ns.run(load(small, **changes), workload=writes)
    assert result.stats["host"]["write"]["errors"] == 0
    return result.stats["host"]["write"]["latency_us"]["mean"]


def test_what_pages_hold_makes_writes_faster(small):
    by_content = {BY_CONTENT: True}
    kept_long = {"controller.content.kept_months": 36}
    slow, fast, slower = write_us(small), write_us(small, **by_content), write_us(small, **by_content, **kept_long)
    assert fast < slower < slow


def test_pages_kept_for_weeks_allow_larger_steps(small):
    """The shorter the required retention (a year, ten weeks, two weeks), the larger the ISPP steps may be, and the
    faster the writes.
    """
    year, ten, two = (write_us(small, **{BY_CONTENT: True, KEPT_WEEKS: weeks}) for weeks in (0, 10, 2))
    relaxed = write_us(small, **{KEPT_WEEKS: 10})
    assert two < ten < year
    assert ten < relaxed, "content of most pages bears a larger step than content of all states alike"


def test_data_written_so_are_read_when_they_are_old(small):
    config = load(small, **{BY_CONTENT: True, KEPT_WEEKS: 10, "host.workload": []})
    simulation = ns.Simulation(config)
    for page in range(200):
        simulation.write(32 * page, bytes(16384))
    simulation.advance("34d", powered=False)
    for page in range(200):
        simulation.read(32 * page, 16384)
    assert simulation.stats()["host"]["read"]["unrecovered"] == 0


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        (
            {"simulation.data": "stored"},
            r"simulation\.data: is 'stored', but nand\.coding is .*: "
            "stored content is counted for cells of two bits only",
        ),
        (
            {"controller.content.bound": "relaxed"},
            r"controller\.content\.bound: .* relaxed counts two .* set it to exact",
        ),
        ({"controller.content.state_mapping": True}, r"controller\.content\.state_mapping: .* maps the states"),
        ({"controller.content.faster_pages": "lsb"}, r"controller\.content\.faster_pages: .* tells pages"),
        ({KEPT_WEEKS: 2, RATIO: 0.5}, r"write_mode\.step_ratio: makes writes slower; take a ratio of at least 1, or 0"),
        (
            {KEPT_WEEKS: 2, "simulation.cells": "ideal"},
            r"write_mode\.step_ratio: .* 0 derives the step from the cells, but ideal cells have no limit",
        ),
    ],
)
def test_contradicting_settings_are_refused(small, changes, complaint):
    with pytest.raises(ns.ConfigError, match=complaint):
        load(small, **{BY_CONTENT: True} | changes)
