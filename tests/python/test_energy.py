# SPDX-License-Identifier: Apache-2.0
"""Static power, the power of cores and the losses of regulators, against their closed forms."""

from __future__ import annotations

import pytest

import nandscape as ns
from conftest import TINY_DEVICE

CORES = {
    "controller.firmware.cores": 2,
    "controller.firmware.clock_mhz": 500.0,
    "controller.firmware.read_cycles": 5000,
}
READS = ns.synthetic(read_percent=100, queue_depth=4, requests=400)


@pytest.fixture
def device() -> ns.Config:
    return ns.load("bare", TINY_DEVICE)


def statistics(device, changes):
    return ns.run(device.override(changes), workload=READS).stats


def test_without_static_power_only_work_takes_energy(device):
    stats = statistics(device, {})
    assert stats["energy"]["controller_static_j"] == stats["energy"]["standby_j"] == stats["energy"]["regulator_j"] == 0
    length = stats["window"]["end_s"] - stats["window"]["begin_s"]
    assert stats["power"]["mean_w"] == pytest.approx(stats["energy"]["total_j"] / length, rel=1e-9)


def test_static_power_is_drawn_over_the_window(device):
    work = statistics(device, {})
    drawn = {"controller.power.static_mw": 1500.0, "host.link.active_mw": 250.0, "nand.energy.standby_mw": 2.0}
    stats = statistics(device, drawn)
    static_w = 1.75 + 0.002 * device.dies
    assert stats["host"] == work["host"]
    assert stats["power"]["mean_w"] == pytest.approx(work["power"]["mean_w"] + static_w, rel=1e-9)


def test_cores_draw_power_while_they_work(device):
    stats = statistics(device, CORES | {"controller.power.core_mw": 200.0})
    assert stats["energy"]["cores_j"] == pytest.approx(0.2 * stats["host"]["read"]["count"] * 5000 / 500e6, rel=1e-9)


def test_regulators_lose_their_share(device):
    whole = statistics(device, {"controller.power.static_mw": 500.0})["energy"]["total_j"]
    stats = statistics(device, {"controller.power.static_mw": 500.0, "controller.power.regulator_percent": 80.0})
    assert stats["energy"]["total_j"] == pytest.approx(whole / 0.8, rel=1e-9)
    assert stats["energy"]["regulator_j"] == pytest.approx(0.25 * whole, rel=1e-9)


def test_a_bus_takes_energy_for_each_bit_at_any_rate(device):
    shape = device["nand.geometry"]
    for rate in (400, 800):
        stats = statistics(device, {"channel.rate_mt_s": rate, "channel.energy.interface_pj_per_bit": 7.0})
        spare = 1 + shape["spare_bytes"] / shape["page_bytes"]
        assert stats["energy"]["bus_j"] == pytest.approx(7e-12 * 8 * spare * stats["host"]["all"]["bytes"], rel=1e-3)
