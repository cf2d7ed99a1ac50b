# SPDX-License-Identifier: Apache-2.0
"""Tests of the presets of published studies: a run must show the effect for which the preset is made."""

from __future__ import annotations

from typing import Any

import pytest

import nandscape as ns

# Presets that others extend. They are not made for a certain kind of cells.
PLAIN = {"bare", "cached"}
PRESETS = [name for name, _ in ns._core.list_presets()]


def read(preset: str, changes: dict[str, Any] | None = None) -> dict[str, Any]:
    config = ns.load(preset, changes or {})
    page = config["nand.geometry.page_bytes"]
    return ns.run(config, workload=ns.synthetic(read_percent=100, block_bytes=page, requests=1500)).stats


@pytest.mark.parametrize("preset", [name for name in PRESETS if name not in PLAIN])
def test_cells_of_a_named_kind_have_errors(preset):
    assert ns.load(preset)["simulation.cells"] != "ideal"
    assert read(preset)["host"]["read"]["unrecovered"] == 0


@pytest.mark.parametrize("preset", ["retry_tlc_512g", "ida_tlc_512g"])
def test_reads_are_retried(preset):
    """As in the read-retry study, retries need about 10 steps after three months and 1,000 cycles."""
    assert 8 < read(preset)["controller"]["read_retry"]["steps"] < 16
    new = {"nand.condition.pe_cycles": 0, "nand.condition.retention_days": 0}
    assert read(preset, new)["controller"]["read_retry"]["steps"] < 1


def test_retention_takes_its_toll():
    """Older data must have more errors, but the code must still correct them."""
    bits = {
        days: read("retention_mlc", {"nand.condition.retention_days": days})["ecc"]["corrected_bits"]
        for days in (30, 365)
    }
    assert read("retention_mlc")["ecc"]["corrected_bits"] == bits[365] > 3 * bits[30] > 0
