# SPDX-License-Identifier: Apache-2.0
"""Tests of a simulation that is controlled step by step from Python."""

import gc
import random

import pytest

import nandscape as ns
from conftest import simulated


@pytest.fixture
def keeping(small):
    """A simulation of the small device with stored data."""
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


def test_errors_say_how_the_request_ended(keeping):
    with pytest.raises(ns.RequestError) as caught:
        keeping.read(keeping.capacity_bytes // 512, 512)
    assert caught.value.status == "refused"
    worn = {
        "simulation.cells": "statistical",
        "nand.condition.pe_cycles": 20_000,
        "nand.condition.retention_days": 3650,
    }
    worn |= {"controller.precondition.occupancy": 1, "nand.cells.read_levels.retry_steps": 0}
    simulation = ns.Simulation(keeping.config.override(worn))
    with pytest.raises(ns.RequestError, match="unrecovered read error") as caught:
        simulation.read(0, 512)
    assert caught.value.status == "unrecovered_read_error"
    command = simulation.start_read(0, 512)
    with pytest.raises(ns.RequestError, match="unrecovered read error"):
        command.wait()
    assert (command.done, command.status, command.data) == (True, "unrecovered_read_error", None)
    assert simulation.smart_log()["media_errors"] == 2


def test_commands_proceed_side_by_side(keeping):
    page = bytes(range(256)) * 64
    one_by_one = sum(keeping.write(32 * k, page) for k in range(8))
    began = keeping.now_us
    writes = [keeping.start_write(32 * k, page[k:] + page[:k], fua=k == 3) for k in range(8)]
    assert not any(write.done for write in writes)
    assert {write.status for write in writes} == {None}
    assert writes[0].wait() is writes[0]
    keeping.wait_all()
    assert all(write.done and write.status == "ok" and write.data is None for write in writes)
    assert max(write.latency_us for write in writes) <= keeping.now_us - began + 1e-6
    assert keeping.now_us - began < one_by_one / 2

    reads = [keeping.start_read(32 * k, 16384) for k in range(8)]
    assert reads[5].data is None
    keeping.wait_all()
    assert [read.data for read in reads] == [page[k:] + page[:k] for k in range(8)]
    assert keeping.start_trim(0, 32).wait().status == "ok"
    assert keeping.start_flush().wait().latency_us > 0
    assert keeping.read(0, 512) == bytes(512)


def test_waiting_for_a_command_is_what_the_blocking_calls_do(small):
    blocking, waiting = ns.Simulation(small), ns.Simulation(small)
    for k in range(20):
        blocking.write(8 * k, bytes(4096))
        blocking.read(8 * k, 4096)
        waiting.start_write(8 * k, bytes(4096)).wait()
        waiting.start_read(8 * k, 4096).wait()
        assert waiting.now_us == blocking.now_us
    assert simulated(waiting.stats()) == simulated(blocking.stats())


def test_a_dropped_command_is_carried_out(keeping):
    keeping.start_write(0, b"k" * 65536)
    for _ in range(50):
        keeping.start_read(0, 65536)
    gc.collect()
    keeping.wait_all()
    assert keeping.read(0, 65536) == b"k" * 65536
    assert keeping.stats()["host"]["all"]["count"] == 52
    left = ns.Simulation(keeping.config).start_write(0, bytes(65536))
    gc.collect()
    assert not left.done  # the command keeps its simulation alive


def test_commands_that_the_device_cannot_carry_out_do_not_start(keeping):
    last = keeping.capacity_bytes // 512
    for start in (
        lambda: keeping.start_read(last, 512),
        lambda: keeping.start_read(0, 1 << 62),
        lambda: keeping.start_write(0, bytes(100)),
        lambda: keeping.start_trim(0, last + 1),
        lambda: keeping.start_trim(-1, 1),
    ):
        with pytest.raises(ns.RequestError) as caught:
            start()
        assert caught.value.status == "refused"
    keeping.wait_all()
    assert keeping.stats()["host"]["all"]["count"] == 0


def test_commands_beside_a_workload(small):
    simulation = ns.Simulation(small)
    commands = [simulation.start_write(8 * k, bytes(4096)) for k in range(4)]
    assert simulation.run()
    assert [command.status for command in commands] == ["ok"] * 4
    assert simulation.stats()["host"]["all"]["count"] == 2004


def test_resets_under_load_at_random_instants(keeping):
    draw = random.Random(5)
    page_of = {}
    for round_ in range(30):
        writes = {}
        for lba in draw.sample(range(0, 4096, 32), 24):
            data = bytes([draw.randrange(256)]) * 16384
            writes[lba] = (keeping.start_write(lba, data), data)
        reads = {lba: keeping.start_read(lba, 16384) for lba in page_of if lba not in writes}
        keeping.run_until(int(keeping.now_us * 1e6) + draw.randrange(4_000_000_000))
        keeping.reset()
        assert all(command.done for command, _ in writes.values())
        for lba, (command, data) in writes.items():
            assert command.status in ("ok", "aborted"), round_
            # An aborted write must take effect either completely or not at all.
            page_of[lba] = {data} if command.status == "ok" else page_of.get(lba, {bytes(16384)}) | {data}
        for lba, read in reads.items():
            assert read.status in ("ok", "aborted")
            assert (read.data is None) == (read.status == "aborted")
            assert read.data is None or read.data in page_of[lba]
    statuses = keeping.result().to_frame()["status"].value_counts()
    assert statuses["aborted"] > 50
    assert statuses["ok"] > 50
    keeping.run_until(int(keeping.now_us * 1e6) + 100_000_000_000)
    for lba, pages in page_of.items():
        assert keeping.read(lba, 16384) in pages


@pytest.mark.parametrize(
    "controller",
    [
        {},
        {"cache.policy": "read"},
        {"cache.policy": "write_back", "cache.capacity_bytes": 65536},
        {"cache.policy": "read_write", "cache.capacity_bytes": 65536, "cache.backup": "capacitor"},
        {"mapping.cache_bytes": 16384},
        {"firmware.write_cycles": 100_000, "firmware.trim_cycles": 1000, "firmware.clock_mhz": 100},
    ],
    ids=["bare", "read", "write_back", "capacitor", "mapping", "firmware"],
)
def test_what_a_reset_aborted_never_replaces_what_came_later(small, controller):
    keys = {f"controller.{key}": value for key, value in controller.items()}
    device = ns.Simulation(small.override({"simulation.data": "stored", **keys}))
    draw = random.Random(9)
    pages = 16
    aborted = 0
    for round_ in range(8):
        under_way = []
        for k in range(64):
            page = k % pages
            if draw.random() < 0.2:
                under_way.append(device.start_trim(32 * page, 32 * draw.randint(1, pages - page)))
            else:
                under_way.append(device.start_write(32 * page, b"\1" * 16384, fua=draw.random() < 0.3))
        device.run_until(int(device.now_us * 1e6) + draw.randrange(1_000_000_000))
        device.reset()
        aborted += sum(command.status == "aborted" for command in under_way)
        expected = []
        for page in range(pages):
            if draw.random() < 0.3:
                device.trim(32 * page, 32)
                expected.append(bytes(16384))
            else:
                expected.append(bytes([2 + round_]) * 16384)
                device.write(32 * page, expected[-1], fua=draw.random() < 0.7)
        device.flush()
        device.run_until(int(device.now_us * 1e6) + 50_000_000_000)
        for page in range(pages):
            assert device.read(32 * page, 16384) == expected[page], (round_, page)
    assert aborted > 100


def test_huge_trims_and_their_edges(keeping):
    keeping.write(16, b"e" * 32768)  # covers the second half of page 0, page 1, and the first half of page 2
    keeping.trim(20, 56)
    assert keeping.read(16, 32768) == b"e" * 2048 + bytes(28672) + b"e" * 2048
    keeping.trim(16, 1)
    assert keeping.read(16, 1024) == bytes(512) + b"e" * 512
    keeping.trim(0, keeping.capacity_bytes // 512)
    assert keeping.read(16, 32768) == bytes(32768)


def test_a_trim_takes_its_time_for_each_entry_of_the_mapping():
    drive = ns.Simulation(ns.load("bare", {"controller.mapping.trim_entry_ns": 40}))
    pages = drive.capacity_bytes // 16384
    one = drive.trim(0, 32)
    assert drive.trim(32, 32 * 1000) == pytest.approx(one + 999 * 0.040)
    # The cost of a page is the same for any part of the drive and for the whole drive.
    assert drive.trim(32 * 2000, 32 * (pages - 2000)) == pytest.approx(one + (pages - 2001) * 0.040)
    assert drive.trim(0, 32 * pages) == pytest.approx(one + (pages - 1) * 0.040)


def test_parts_of_pages_that_hold_nothing_are_not_written(keeping):
    keeping.trim(0, keeping.capacity_bytes // 512)
    before = keeping.stats()["controller"]["programmed_pages"]
    keeping.trim(3, 7)
    keeping.flush()
    assert keeping.stats()["controller"]["programmed_pages"] == before
    keeping.write(0, b"x" * 16384, fua=True)
    keeping.trim(3, 7)
    keeping.flush()
    assert keeping.stats()["controller"]["programmed_pages"] > before
    assert keeping.read(0, 16384) == b"x" * 1536 + bytes(3584) + b"x" * (16384 - 5120)


def test_the_smart_log_counts_in_its_units(keeping):
    log = keeping.smart_log()
    assert log["critical_warning"] == dict.fromkeys(
        ("spare_below_threshold", "temperature", "reliability_degraded", "read_only"), False
    )
    assert (log["temperature_c"], log["available_spare_percent"], log["percentage_used"]) == (40, 100, 0)
    assert (log["power_cycles"], log["unsafe_shutdowns"], log["data_units_written"]) == (1, 0, 0)
    began = keeping.now_us
    for lba in range(0, 2048, 512):
        keeping.write(lba, bytes(262_144))
    keeping.read(0, 512)
    log = keeping.smart_log()
    assert log["data_units_written"] == 3  # 2048 sectors, rounded up to multiples of 1000
    assert log["data_units_read"] == 1
    assert (log["host_write_commands"], log["host_read_commands"]) == (4, 1)
    assert log["error_log_entries"] == log["media_errors"] == 0
    assert keeping.now_us > began


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
    """Issues one write and one read, followed by some idle time. The addresses are different in each step."""
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
    assert simulation.stats("all")["host"]["all"]["count"] == 2001


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
