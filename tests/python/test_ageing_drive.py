# SPDX-License-Identifier: Apache-2.0
"""Tests of drives whose cells wear and lose charge: retries, errors that reach the host, and all fidelities of the
cells.
"""

from __future__ import annotations

import pytest

import nandscape as ns

READS = {"host.workload": [ns.synthetic(requests=1500, queue_depth=8, read_percent=100, block_bytes=16384)]}
WORN = {
    "simulation.cells": "statistical",
    "nand.condition.pe_cycles": 2000,
    "nand.condition.retention_days": 365,
}


def statistics(config: ns.Config) -> dict:
    simulation = ns.Simulation(config)
    simulation.run()
    return simulation.stats()


def test_fresh_cells_are_read_at_once(small):
    fresh = statistics(small.override({"simulation.cells": "statistical", **READS}))
    retries = fresh["controller"]["read_retry"]
    assert retries["retried_reads"] == retries["failed_reads"] == retries["steps"] == 0
    assert fresh["ecc"]["failed_decodes"] == 0
    assert fresh["ecc"]["corrected_bits"] > 0


def test_worn_cells_take_as_many_steps_as_the_population(small):
    worn = small.override({**WORN, **READS})
    retries = statistics(worn)["controller"]["read_retry"]
    expected = ns.Cells(worn).population(pe_cycles=2000, months=12, temperature_c=30).mean_retry_steps
    # The tolerance: the mean is over 1500 reads, and the number of steps has a standard deviation of about 1.2. The
    # reads are not independent, since wordlines of the same block deviate together.
    assert retries["steps"] == pytest.approx(expected, abs=0.3)
    assert retries["failed_reads"] == 0
    assert retries["retried_reads"] == 1500


def test_decodes_that_a_retry_makes_good_are_not_errors_of_the_host(small):
    stats = statistics(small.override({**WORN, **READS}))
    assert stats["ecc"]["failed_decodes"] > 1500
    assert stats["host"]["read"]["unrecovered"] == 0
    assert stats["host"]["uber"] == 0


def test_each_retry_step_takes_a_read(small):
    one_read = {"host.workload": [ns.synthetic(requests=1, queue_depth=1, read_percent=100, block_bytes=16384)]}
    ideal = small.override({**WORN, **one_read, "simulation.cells": "ideal", "host.workload.0.pattern": "sequential"})
    worn = ideal.override({"simulation.cells": "statistical"})
    fast, slow = statistics(ideal), statistics(worn)
    steps = slow["controller"]["read_retry"]["steps"]
    assert steps >= 17
    once = fast["host"]["read"]["latency_us"]["mean"]
    again = slow["host"]["read"]["latency_us"]["mean"]
    # A retry repeats all of a read except the time on the link and in queues.
    assert 0.85 * once * steps < again - once <= once * steps


def test_without_a_retry_table_worn_pages_reach_the_host_as_errors(small):
    config = small.override({**WORN, **READS, "nand.cells.read_levels.retry_steps": 0})
    simulation = ns.Simulation(config)
    simulation.run()
    stats = simulation.stats()
    assert stats["controller"]["read_retry"]["failed_reads"] == 1500
    assert stats["host"]["read"]["unrecovered"] == stats["host"]["read"]["errors"] == 1500
    assert stats["host"]["uber"] == pytest.approx(1 / (8 * 16384))
    with pytest.raises(ns.Error, match="could not be read back"):
        simulation.read(0, 4096)


def test_a_write_of_a_part_of_an_unreadable_page_fails_and_changes_nothing(small):
    config = small.override({**WORN, "simulation.data": "stored", "nand.cells.read_levels.retry_steps": 0})
    simulation = ns.Simulation(config)
    with pytest.raises(ns.Error, match="could not be read back"):
        simulation.write(0, b"\1" * 4096)
    simulation.write(0, b"\2" * 16384)
    assert simulation.read(0, 16384) == b"\2" * 16384
    simulation.write(8, b"\3" * 4096)
    assert simulation.read(0, 16384) == b"\2" * 4096 + b"\3" * 4096 + b"\2" * 8192


@pytest.mark.parametrize("cells", ["ideal", "statistical", "per_cell"])
def test_data_come_back_at_every_fidelity(small, cells):
    simulation = ns.Simulation(
        small.override({"simulation.cells": cells, "simulation.data": "stored", "nand.condition.pe_cycles": 1500})
    )
    for page in range(12):
        simulation.write(32 * page, bytes([page + 1]) * 16384)
    for page in range(12):
        assert simulation.read(32 * page, 16384) == bytes([page + 1]) * 16384


def test_both_fidelities_take_the_same_time(small):
    reads = {"host.workload": [ns.synthetic(requests=60, queue_depth=4, read_percent=100, block_bytes=16384)]}
    aged = {**WORN, **reads, "nand.condition.retention_days": 60, "nand.condition.pe_cycles": 500}
    counted = statistics(small.override({**aged, "simulation.cells": "per_cell"}))
    drawn = statistics(small.override(aged))
    assert counted["controller"]["read_retry"]["steps"] == pytest.approx(
        drawn["controller"]["read_retry"]["steps"], abs=0.3
    )
    assert counted["host"]["read"]["latency_us"]["mean"] == pytest.approx(
        drawn["host"]["read"]["latency_us"]["mean"], rel=0.06
    )


def test_a_set_for_other_cells_is_refused():
    with pytest.raises(ns.ConfigError, match=r"nand\.cells\.placement\.verify_mv"):
        ns.load("bare", {"simulation.cells": "statistical", "nand.cells.set": "mlc_planar_15k"})
    assert ns.load("bare", {"nand.cells.set": "mlc_planar_15k"})["simulation.cells"] == "ideal"


def test_slower_storage_temperature_ages_less(small):
    def steps(celsius: float) -> float:
        config = small.override({**WORN, **READS, "nand.condition.storage_temperature_c": celsius})
        return statistics(config)["controller"]["read_retry"]["steps"]

    assert steps(10) < steps(30) < steps(40)


def test_programming_can_take_as_long_as_its_pulses(small):
    write = {"host.workload": [ns.synthetic(requests=1, queue_depth=1, read_percent=0, block_bytes=16384)]}
    given = small.override({**write, "nand.timing.t_prog_us": 500})
    pulses = given.override({"nand.timing.program": "ispp"})
    longer = statistics(pulses)["host"]["write"]["latency_us"]["mean"]
    shorter = statistics(given)["host"]["write"]["latency_us"]["mean"]
    assert longer - shorter == pytest.approx(ns.Cells(pulses).program().latency_us - 500, abs=0.001)


def test_conditions_beyond_the_constants_are_refused():
    worn_out = {"simulation.cells": "statistical", "nand.condition.pe_cycles": 2_000_000}
    with pytest.raises(ns.ConfigError, match=r"nand\.condition\.pe_cycles: .*fewer cycles"):
        ns.load("bare", {**worn_out, "nand.condition.retention_days": 365})


def test_run_prints_retries_where_cells_can_err(command, small_arguments):
    aged = ["--set", "simulation.cells=statistical", "--set", "nand.condition.retention_days=180"]
    assert "retry steps of a page read" in command("run", *small_arguments, *aged).stdout
    assert "retry steps" not in command("run", *small_arguments).stdout
