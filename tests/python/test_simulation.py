# SPDX-License-Identifier: Apache-2.0
"""A device driven step by step."""

import pytest

import nandscape as ns
from conftest import simulated


@pytest.fixture
def keeping(small):
    """The small device with its data kept."""
    return ns.Simulation(small.override({"simulation.data": "stored"}))


def test_what_was_written_is_read(keeping):
    data = bytes(range(256)) * 16
    latency_us = keeping.write(16, data)
    assert latency_us > 0
    assert keeping.last_latency_us == latency_us
    assert keeping.now_us >= latency_us
    assert keeping.read(16, len(data)) == data
    assert keeping.read(18, 512) == data[1024:1536]


def test_buffers_of_any_kind_are_written(keeping):
    keeping.write(0, bytearray(b"a" * 512))
    keeping.write(1, memoryview(b"b" * 512))
    assert keeping.read(0, 1024) == b"a" * 512 + b"b" * 512
    with pytest.raises(TypeError):
        keeping.write(0, 512)


def test_trimmed_sectors_hold_nothing(keeping):
    keeping.write(0, b"x" * 65536)
    assert keeping.flush() > 0
    assert keeping.trim(0, 64) > 0
    assert keeping.read(0, 65536) == bytes(32768) + b"x" * 32768


def test_requests_the_device_cannot_carry_out(keeping):
    last = keeping.capacity_bytes // 512
    for request in (
        lambda: keeping.read(last, 512),
        lambda: keeping.write(last, bytes(512)),
        lambda: keeping.trim(last, 1),
        lambda: keeping.read(0, 100),
        lambda: keeping.write(0, bytes(100)),
        lambda: keeping.read(-1, 512),
        lambda: keeping.read(0, 1 << 62),
    ):
        with pytest.raises(ns.RequestError):
            request()
    assert keeping.write(0, bytes(512)) > 0, "a refused request leaves the device usable"


def test_capacity_leaves_the_over_provisioned_share(keeping):
    raw = 2 * 1 * 2 * 2 * 64 * 96 * 16384
    assert 0.7 * raw <= keeping.capacity_bytes < raw


def test_run_until_stops_at_the_time(small):
    simulation = ns.Simulation(small)
    simulation.run_until("2ms")
    assert simulation.now_us == 2000
    simulation.run_until(3_000_000_000)
    assert simulation.now_us == 3000


def drive(simulation, step):
    """One write, one read and some idle time, different from step to step."""
    lba = 8 * (step * 7919 % 4096)
    simulation.write(lba, bytes([step]) * 4096)
    simulation.read(8 * (step * 104729 % 4096), 4096)
    simulation.run_until(f"{step + 1}ms")


def test_idle_time_in_steps_makes_no_difference(small):
    at_once, in_steps = ns.Simulation(small), ns.Simulation(small)
    for simulation in (at_once, in_steps):
        simulation.write(0, bytes(65536))
    at_once.run_until("5ms")
    for step in range(1, 51):
        in_steps.run_until(f"{step * 100}us")
    assert at_once.now_us == in_steps.now_us
    assert at_once.read(0, 4096) == in_steps.read(0, 4096)
    assert at_once.last_latency_us == in_steps.last_latency_us


def test_simulations_side_by_side_do_not_touch_one_another(small):
    configs = [small, small.override({"simulation.seed": 2, "nand.timing.t_prog_us": 900})]
    alone = []
    for config in configs:
        simulation = ns.Simulation(config)
        for step in range(40):
            drive(simulation, step)
        simulation.run()
        alone.append(simulation.result())

    pair = [ns.Simulation(config) for config in configs]
    for step in range(40):
        for simulation in pair:
            drive(simulation, step)
    for simulation, expected in zip(pair, alone, strict=True):
        simulation.run()
        result = simulation.result()
        assert simulated(result.stats) == simulated(expected.stats)
        for name, column in result.requests.items():
            assert column.tobytes() == expected.requests[name].tobytes(), name


def test_a_result_is_not_changed_by_running_on(small):
    simulation = ns.Simulation(small)
    simulation.write(0, bytes(4096))
    result = simulation.result()
    assert simulation.run()
    assert result.stats["host"]["all"]["count"] == result.latencies().size == 1
    assert simulation.stats()["host"]["all"]["count"] == 2001


def test_workloads_run_once(small):
    simulation = ns.Simulation(small)
    simulation.run()
    with pytest.raises(ns.RequestError):
        simulation.run()


def test_a_callback_may_look_at_the_simulation_but_not_drive_it(small):
    simulation = ns.Simulation(small.override({"host.workload.requests": 50_000_000}))
    counts = []

    def look_then_drive(*_):
        counts.append(simulation.stats()["host"]["all"]["count"])
        simulation.read(0, 512)

    with pytest.raises(RuntimeError):
        simulation.run(look_then_drive)
    assert counts[0] > 0


def test_the_hierarchy_is_a_tree_of_named_objects(small):
    def count(nodes):
        assert all(node["name"] and node["kind"] for node in nodes)
        assert len({node["name"] for node in nodes}) == len(nodes)
        return len(nodes) + sum(count(node["children"]) for node in nodes)

    more_dies = small.override({"nand.geometry.dies_per_chip": 4})
    assert 4 < count(ns.Simulation(small).hierarchy()) < count(ns.Simulation(more_dies).hierarchy())
