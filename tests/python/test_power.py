# SPDX-License-Identifier: Apache-2.0
"""Power cuts, shelf time and failures, through Python."""

import pytest

import nandscape as ns

SMALL = {
    "simulation.data": "stored",
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 96,
    "controller.mapping.over_provisioning": 0.5,
    "host.workload.requests": 1000,
}
PAGE = 16384


def drive(**changes):
    return ns.Simulation(ns.load("bare", {**SMALL, **changes}))


def test_commands_end_with_the_power():
    simulation = drive()
    write = simulation.start_write(0, bytes(PAGE))
    simulation.power_cut()
    assert write.status == "power_lost"
    assert not simulation.has_power
    with pytest.raises(ns.RequestError, match="no power"):
        simulation.read(0, 512)
    assert simulation.stats()["controller"]["power_loss"]["cuts"] == 1


def test_times_are_told_apart():
    simulation = drive()
    simulation.advance("6mo", temperature_c=40)
    simulation.advance("12h", powered=False)
    with pytest.raises(ValueError, match="no time"):
        simulation.advance("6 moons")
    with pytest.raises(ns.RequestError, match="program"):
        simulation.fail_next(0, "read")


@pytest.mark.parametrize("protection", ["capacitor", "none"])
def test_flushed_data_survive(protection):
    simulation = drive(**{"controller.power_loss.protection": protection})
    pages = [bytes([k]) * PAGE for k in range(30)]
    for _ in range(3):
        for k, page in enumerate(pages):
            simulation.write(32 * k, page)
        simulation.flush()
        simulation.power_cut()
        simulation.power_on()
        assert [simulation.read(32 * k, PAGE) for k in range(30)] == pages
    log = simulation.smart_log()
    assert (log["power_cycles"], log["unsafe_shutdowns"]) == (4, 3)


def test_a_shut_down_is_safe():
    simulation = drive(**{"controller.cache.policy": "write_back"})
    simulation.write(0, b"a" * PAGE)
    simulation.shut_down()
    simulation.advance("1 y", powered=False)
    simulation.power_on()
    assert simulation.read(0, PAGE) == b"a" * PAGE
    assert simulation.smart_log()["unsafe_shutdowns"] == 0


def test_a_drive_outlives_a_bad_block():
    simulation = drive()
    simulation.fail_next(0, "program", 2)
    pages = [bytes([k]) * PAGE for k in range(200)]
    for k, page in enumerate(pages):
        simulation.write(32 * k, page)
    assert [simulation.read(32 * k, PAGE) for k in range(200)] == pages
    assert simulation.stats()["controller"]["failed_programs"] == 2
