# SPDX-License-Identifier: Apache-2.0
"""Presets of published studies: a run shows the effect that the preset's name promises."""

from __future__ import annotations

from typing import Any

import pytest

import nandscape as ns

# Other presets extend these drives, which promise no kind of cells.
PLAIN = {"bare", "default"}
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
    """Retries take 10 steps or more after three months and 1,000 cycles, as in the read-retry study."""
    assert 8 < read(preset)["controller"]["read_retry"]["steps"] < 16
    new = {"nand.condition.pe_cycles": 0, "nand.condition.retention_days": 0}
    assert read(preset, new)["controller"]["read_retry"]["steps"] < 1


def test_retention_takes_its_toll():
    """Older data have more errors, which the code still corrects."""
    bits = {
        days: read("retention_mlc", {"nand.condition.retention_days": days})["ecc"]["corrected_bits"]
        for days in (30, 365)
    }
    assert read("retention_mlc")["ecc"]["corrected_bits"] == bits[365] > 3 * bits[30] > 0
