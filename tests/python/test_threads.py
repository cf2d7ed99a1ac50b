# SPDX-License-Identifier: Apache-2.0
"""Tests of `simulation.threads`: a run has the same results for every number of threads, also after a restore and in a
forked process."""

import os
import signal
import warnings

import pytest

import nandscape as ns

FIDELITIES = {
    "per_cell": {"simulation.cells": "per_cell"},
    "bit_true": {"simulation.cells": "statistical", "simulation.data": "stored", "ecc.decoder": "bit_true"},
}


@pytest.fixture(params=FIDELITIES)
def config(request, small):
    """A small drive of a fidelity that uses threads, with a short workload."""
    load = ns.synthetic(read_percent=70, block_bytes=16384, requests=100)
    return small.override({**FIDELITIES[request.param], "host.workload": [load]})


def figures(simulation):
    """Returns the statistics without the time that the run took."""
    stats = simulation.stats()
    stats["simulation"].pop("wall_s")
    return stats


def run_by(config, threads):
    simulation = ns.Simulation(config.override({"simulation.threads": threads}))
    simulation.run()
    return figures(simulation)


def test_results_do_not_depend_on_the_number_of_threads(config):
    alone = run_by(config, 1)
    assert alone["host"]["all"]["count"] == 100
    assert run_by(config, 2) == alone
    assert run_by(config, 5) == alone


def test_a_drive_can_be_restored_with_another_number_of_threads(config, tmp_path):
    file = str(tmp_path / "drive")
    before = ns.Simulation(config.override({"simulation.threads": 2}))
    before.run()
    before.checkpoint(file)
    restored = [ns.Simulation.restore(file, {"simulation.threads": threads}) for threads in (1, 2, 3)]
    for simulation in restored:
        simulation.run()
    assert figures(restored[1]) == figures(restored[0])
    assert figures(restored[2]) == figures(restored[0])


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(config):
    """Reads the same pages in the child and in the parent, after a run that has created threads."""

    def read_pages(simulation):
        for page in range(20):
            simulation.read(page * 16384, 16384)
        return repr(figures(simulation))

    simulation = ns.Simulation(config.override({"simulation.threads": 3}))
    simulation.run()
    receiver, sender = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            signal.alarm(60)
            os.write(sender, read_pages(simulation).encode())
        finally:
            os._exit(0)
    os.close(sender)
    alone = ns.Simulation(config)
    alone.run()
    expected = read_pages(alone)
    with os.fdopen(receiver, "rb") as pipe:
        assert pipe.read().decode() == expected
    os.waitpid(pid, 0)
    assert read_pages(simulation) == expected


def test_threads_that_do_nothing_are_told(small, config):
    with pytest.warns(
        ns.ConfigWarning,
        match="simulation.threads does nothing, since simulation.cells is ideal and ecc.decoder is threshold",
    ):
        ns.Simulation(small.override({"simulation.threads": 2}))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ns.ConfigWarning)
        ns.Simulation(config.override({"simulation.threads": 2}))


@pytest.mark.parametrize("threads", [0, 257])
def test_a_number_of_threads_out_of_range_is_refused(small, threads):
    with pytest.raises(ns.ConfigError, match=r"simulation.threads: .*1 .. 256"):
        small.override({"simulation.threads": threads})
