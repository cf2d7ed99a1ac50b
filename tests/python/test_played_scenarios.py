# SPDX-License-Identifier: Apache-2.0
"""Tests of scenarios, which are coroutines in simulated time: the objects they can await, the order in which they are
resumed, and their end.
"""

from __future__ import annotations

import asyncio
import functools
import traceback
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nandscape as ns
from conftest import SMALL_DEVICE, simulated
from nandscape.scenario import Cancelled, Deadlock, Event, TaskCancelled, first, gather, start

PAGE = 16384
DEVICE = {**SMALL_DEVICE, "simulation.data": "stored"}


def drive(**keys: Any) -> ns.Simulation:
    return ns.Simulation(ns.load("bare", {**DEVICE, **keys}))


def play(*scenarios: Any, **keys: Any) -> list[Any]:
    return drive(**keys).play(*scenarios)


# --- commands


def test_data_go_in_and_come_out():
    async def scenario(host):
        latency_us = await host.write(8, b"\x01" * 4096)
        assert await host.flush() >= 0
        assert await host.trim(12, 2) > 0
        return latency_us, await host.read(8, 4096)

    ((latency_us, data),) = play(scenario)
    assert latency_us > 0
    assert data == b"\x01" * 2048 + bytes(1024) + b"\x01" * 1024


def test_commands_do_as_those_of_the_simulation():
    async def scenario(host):
        return [await host.write(0, b"\x01" * PAGE), await host.read(0, PAGE), await host.trim(0, 8)]

    stepped = drive()
    latencies = [stepped.write(0, b"\x01" * PAGE), stepped.read(0, PAGE), stepped.trim(0, 8)]
    played = drive()
    assert played.play(scenario) == [latencies]
    assert played.now_us == pytest.approx(stepped.now_us)


def test_commands_proceed_side_by_side():
    async def one_by_one(host, clock):
        for k in range(8):
            await host.read(32 * k, PAGE)
        return clock.now

    async def at_once(host, clock):
        reads = [host.read(32 * k, PAGE) for k in range(8)]
        for read in reads:
            await read
        return clock.now

    keys = {"controller.precondition.distribution": "steady_state"}
    assert play(at_once, **keys)[0] < play(one_by_one, **keys)[0] / 2


def test_a_command_may_be_awaited_again_and_looked_at():
    async def scenario(host):
        read = host.read(0, 512)
        assert not read.done
        with pytest.raises(RuntimeError, match="the read of 512 bytes at LBA 0 has not ended yet"):
            read.result()
        assert await read == await read == read.result() == bytes(512)
        return read.command.status, read.command.latency_us

    ((status, latency_us),) = play(scenario)
    assert status == "ok"
    assert latency_us > 0


def test_a_refused_command_raises_where_it_is_called():
    async def scenario(host):
        with pytest.raises(ns.RequestError, match="capacity"):
            host.read(host.capacity_bytes // 512, 512)
        with pytest.raises(ns.RequestError, match="whole number of sectors"):
            await host.write(0, b"too short")

    play(scenario)


def test_a_command_ends_when_the_driver_sees_it():
    """The latency includes the time that the host's processor needs for the completion."""

    async def scenario(host, clock):
        begin = clock.now_us
        read = host.read(0, 4096)
        await read
        return clock.now_us - begin, read.command.latency_us

    ((waited_us, latency_us),) = play(scenario, **{"host.driver.completion_ns": 5000})
    assert waited_us == pytest.approx(latency_us)


# --- time


def test_delays_and_times():
    async def scenario(clock):
        begin = clock.now
        await clock.delay(us=1.5)
        await clock.delay("20ns")
        await clock.delay(7)
        assert clock.now - begin == 1_520_007
        await clock.at(s=1)
        assert clock.now_us == 1e6
        await clock.at("1ms")  # this time is already in the past
        await clock.delay()
        assert clock.now_us == 1e6
        for wrong in (-1, float("nan"), 1e30):
            with pytest.raises(ValueError, match="time"):
                clock.delay(us=wrong)
        with pytest.raises(ValueError, match="is not a time"):
            clock.at("soon")

    play(scenario)


def test_tasks_go_on_in_the_order_of_their_times_and_of_their_calls():
    order: list[str] = []

    async def wait(clock, name, us):
        await clock.at(ms=1)
        await clock.delay(us=us)
        order.append(name)

    delays = {"a": 5, "b": 3, "c": 5, "d": 3, "e": 0}
    play(*(functools.partial(wait, name=name, us=us) for name, us in delays.items()))
    assert "".join(order) == "ebdac"


def test_time_stands_while_a_task_runs():
    async def scenario(host, clock):
        read = host.read(0, 4096)
        before = clock.now
        for _ in range(5):
            await clock.delay()
        assert clock.now == before
        assert not read.done

    play(scenario)


def test_a_moment_comes_at_its_tick_beside_commands():
    async def busy(host):
        for k in range(50):
            await host.write(8 * k, bytes(4096))

    async def timed(clock):
        for k in range(1, 200):
            await clock.at(ms=1, us=3 * k)
            assert clock.now == (1000 + 3 * k) * 10**6

    play(busy, timed)


# --- tasks, events, several at once


def test_events_between_scenarios():
    ready = Event("ready")

    async def consumer():
        return await ready, await ready

    async def producer(clock):
        await clock.delay(us=3)
        ready.set("done")
        with pytest.raises(RuntimeError, match="the event 'ready' is set already"):
            ready.set()

    assert play(consumer, consumer, producer) == [("done", "done"), ("done", "done"), None]


def test_first_gives_what_ended_first():
    async def scenario(host, clock):
        slow = clock.delay(s=1)
        read = host.read(0, 4096)
        assert await first(slow, read) is read
        assert await first(slow, read) is read  # the read had already ended
        quick = clock.delay(ns=1)
        again = host.read(0, 4096)
        assert await first(again, quick, slow) is quick
        assert await again == bytes(4096)  # the command was not cancelled
        with pytest.raises(TypeError, match="at least one"):
            first()

    play(scenario)


def test_first_cancels_the_coroutines_that_lost():
    ended = []

    async def lasts(clock, us):
        try:
            await clock.delay(us=us)
            return us
        except Cancelled:
            ended.append(us)
            raise

    async def scenario(clock):
        winner = await first(lasts(clock, 30), lasts(clock, 10), lasts(clock, 20))
        assert winner.result() == 10
        await clock.delay()
        return sorted(ended)

    assert play(scenario) == [[20, 30]]


def test_gather_gives_all_in_their_order():
    async def later(clock, us):
        await clock.delay(us=us)
        return us

    async def scenario(host, clock):
        begin = clock.now
        assert await gather(later(clock, 3), host.read(0, 512), clock.delay(us=2)) == [3, bytes(512), None]
        assert await gather(later(clock, 3), later(clock, 1)) == [3, 1]
        assert await gather() == []
        return clock.now - begin

    assert play(scenario)[0] >= 6_000_000


def test_gather_fails_with_the_first_and_cancels_the_others():
    seen = []

    async def fails(clock):
        await clock.delay(us=1)
        raise LookupError("lost")

    async def lasts(clock):
        try:
            await clock.delay(s=1)
        finally:
            seen.append(clock.now_us)

    async def scenario(clock):
        begin = clock.now_us
        with pytest.raises(LookupError, match="lost"):
            await gather(lasts(clock), fails(clock))
        await clock.delay()
        return seen[0] - begin

    assert play(scenario) == [pytest.approx(1)]


def test_tasks_are_started_awaited_and_cancelled():
    async def work(clock, steps):
        for _ in range(steps):
            await clock.delay(us=1)
        return steps

    async def scenario(clock):
        task = start(work(clock, 5))
        assert not task.done
        assert await task == await task == 5
        lost = start(work(clock, 50), name="lost")
        await clock.delay(us=2)
        assert lost.cancel()
        await clock.delay()
        assert lost.done
        assert not lost.cancel()
        with pytest.raises(TaskCancelled, match="the task 'lost' was cancelled"):
            await lost
        unborn = start(work(clock, 1))
        unborn.cancel()
        with pytest.raises(TaskCancelled):
            await unborn

    play(scenario)


def test_a_task_may_clean_up_when_it_is_cancelled():
    async def careful(host, done):
        try:
            await Event("nothing")
        finally:
            await host.write(0, b"\x07" * 512)
            done.append(await host.read(0, 512))

    async def scenario(host, clock):
        done: list[bytes] = []
        task = start(careful(host, done))
        await clock.delay(us=1)
        task.cancel()
        with pytest.raises(TaskCancelled):
            await task
        return done

    assert play(scenario) == [[b"\x07" * 512]]


def test_what_is_left_when_all_scenarios_have_ended_is_cancelled():
    seen = []

    async def background(clock):
        try:
            while True:
                await clock.delay(us=10)
                seen.append("beat")
        except Cancelled:
            seen.append("cancelled")
            raise

    async def scenario(clock):
        start(background(clock))
        await clock.delay(us=35)

    play(scenario)
    assert seen == ["beat"] * 3 + ["cancelled"]


def test_a_cancelled_wait_ends_what_it_had_started():
    seen = []

    async def inner(clock):
        try:
            await clock.delay(s=1)
        except Cancelled:
            seen.append("inner")
            raise

    async def outer(clock):
        await gather(inner(clock), first(inner(clock), Event()))

    async def scenario(clock):
        task = start(outer(clock))
        await clock.delay(us=1)
        task.cancel()
        await clock.delay(us=1)
        return list(seen)

    assert play(scenario) == [["inner", "inner"]]


# --- how runs end


def test_an_exception_ends_the_run_with_its_traceback():
    closed = []

    async def failing(host):
        await host.write(0, bytes(512))
        raise ArithmeticError("of the scenario")

    async def other(clock):
        try:
            await clock.delay(s=1)
        finally:
            closed.append(True)

    simulation = drive()
    with pytest.raises(ArithmeticError, match="of the scenario") as caught:
        simulation.play(failing, other)
    assert "failing" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert closed == [True]
    assert simulation.now_us < 1e6
    assert simulation.read(0, 512) == bytes(512)


def test_an_exception_of_a_task_reaches_its_awaiter_or_ends_the_run():
    async def failing(clock):
        await clock.delay(us=1)
        raise LookupError("of the task")

    async def awaits(clock):
        with pytest.raises(LookupError, match="of the task"):
            await start(failing(clock))

    async def does_not(clock):
        start(failing(clock))
        await clock.delay(us=5)
        raise AssertionError("not reached")

    play(awaits)
    with pytest.raises(LookupError, match="of the task"):
        play(does_not)


def test_a_failure_while_the_run_ends_is_a_note():
    async def failing():
        raise LookupError("the reason")

    async def careless(clock):
        try:
            await clock.delay(s=1)
        finally:
            raise ArithmeticError("of the cleaning")

    with pytest.raises(LookupError, match="the reason") as caught:
        play(careless, failing)
    assert caught.value.__notes__ == ["the task 'careless' raised ArithmeticError('of the cleaning') when closed"]


def test_a_deadlock_names_the_waiting_tasks():
    async def reader():
        await Event("written")

    async def writer():
        await gather(Event(), first(Event("a"), Event("b")))

    with pytest.raises(Deadlock) as caught:
        play(reader, writer)
    assert str(caught.value) == (
        "nothing is under way, but these tasks wait: 'reader' for the event 'written'; 'writer' for all of an "
        "event, the first of the event 'a', the event 'b'"
    )


def test_a_scenario_cannot_await_foreign_objects():
    async def scenario():
        await asyncio.sleep(0)

    async def goes_on(clock):
        for _ in range(3):
            with pytest.raises(TypeError, match="awaits NoneType"):
                await asyncio.sleep(0)
        await clock.delay(us=1)
        return "there"

    async def awaits_it():
        with pytest.raises(TypeError, match="the task 'scenario' awaits NoneType"):
            await start(scenario())

    with pytest.raises(TypeError, match="awaits NoneType, which a scenario cannot"):
        play(scenario)
    assert play(goes_on, awaits_it) == ["there", None]


def test_invalid_scenarios_are_refused():
    def plain(host):
        pass

    async def greedy(host, gpu):
        pass

    with pytest.raises(TypeError, match="a scenario is an async function"):
        play(plain)
    with pytest.raises(
        TypeError, match="'greedy' asks for gpu; scenarios are given host, clock, nand, power, simulation"
    ):
        play(greedy)
    coroutine = greedy(None, None)
    with pytest.raises(RuntimeError, match="no scenario is being played"):
        start(coroutine)
    coroutine.close()


def test_more_arguments_by_partial():
    async def scenario(host, simulation, pages, twice=2):
        return simulation.capacity_bytes == host.capacity_bytes, pages * twice

    assert play(functools.partial(scenario, pages=4)) == [(True, 8)]


def test_no_scenario_at_all():
    assert play() == []


def test_scenarios_one_after_another_on_one_drive():
    async def write(host):
        await host.write(0, b"\x05" * 512)

    async def read(host):
        return await host.read(0, 512)

    simulation = drive()
    simulation.play(write)
    assert simulation.play(read) == [b"\x05" * 512]


def test_another_drive_within_a_scenario():
    other = drive()

    async def inner(host):
        await host.write(0, b"\x01" * 512)

    async def outer(host, clock):
        await host.write(0, b"\x02" * 512)
        other.play(inner)
        await clock.delay(us=1)
        return await host.read(0, 512)

    assert play(outer) == [b"\x02" * 512]
    assert other.read(0, 512) == b"\x01" * 512


def test_a_drive_is_not_played_within_itself():
    async def inner():
        pass

    async def outer(simulation):
        with pytest.raises(RuntimeError, match="this simulation is being played"):
            simulation.play(inner)

    play(outer)


def test_a_drive_without_power_is_played():
    async def scenario(host, power):
        power.on()
        return await host.read(0, 512)

    simulation = drive()
    simulation.write(0, b"\x01" * 512)
    simulation.shut_down()
    assert simulation.play(scenario) == [b"\x01" * 512]


# --- workloads, power, faults, age, cells


def test_workloads_beside_scenarios():
    async def scenario(host, clock, simulation):
        workloads = host.run_workloads()
        await clock.delay(us=500)
        assert simulation.workloads_under_way
        probe = await host.read(0, 4096)
        await workloads
        assert not simulation.workloads_under_way
        return len(probe), clock.now_us

    simulation = drive(**{"host.workload": [ns.synthetic(requests=300, queue_depth=2)]})
    ((probed, ended_us),) = simulation.play(scenario)
    assert probed == 4096
    log = simulation.result().requests if simulation.config["simulation.request_log"] else None
    assert log is None or len(log["start_ps"]) == 301
    assert simulation.stats()["host"]["all"]["count"] == 301
    assert ended_us == pytest.approx(simulation.now_us)


def test_a_generator_of_a_workload_that_fails_ends_the_play():
    def failing():
        yield "write", 0, 4096
        raise LookupError("in the workload")

    async def scenario(host):
        await host.run_workloads()

    with pytest.raises(LookupError, match="in the workload"):
        play(scenario, **{"host.workload": [ns.requests(failing, queue_depth=1)]})


def test_power_cuts_and_comes_back():
    async def scenario(host, clock, power):
        await host.write(0, b"\x01" * PAGE, fua=True)
        writing = host.write(32, b"\x02" * PAGE)
        await clock.delay(ns=100)
        power.cut()
        assert not power.is_on
        with pytest.raises(ns.RequestError) as lost:
            await writing
        with pytest.raises(ns.RequestError, match="no power"):
            host.read(0, PAGE)
        power.on()
        return lost.value.status, await host.read(0, PAGE) == b"\x01" * PAGE

    assert play(scenario) == [("power_lost", True)]


def test_time_stands_without_power():
    async def waits(clock, power):
        power.cut()
        await clock.delay(us=5)

    with pytest.raises(ns.RequestError, match=r"'waits' for the time .* us; call power\.on\(\) first"):
        play(waits)


def test_another_scenario_brings_the_power_back():
    off = Event("off")

    async def cuts(clock, power):
        power.cut()
        off.set()
        await clock.delay(us=5)
        return clock.now_us

    async def restores(power):
        await off
        power.on()

    assert play(cuts, restores)[0] > 0


def test_faults_are_injected():
    async def scenario(host, nand, simulation):
        for die in range(4):
            nand.fail_next(die, "program")
        await gather(*(host.write(32 * k, b"\x01" * PAGE) for k in range(8)))
        await host.flush()
        nand.fail_block(3)
        with pytest.raises(ns.RequestError, match="no die 99"):
            nand.kill_die(99)
        return simulation.stats()["nand"]["failures"]

    assert play(scenario)[0] > 0


def test_age_passes_on_the_shelf():
    async def scenario(host, nand, clock):
        await host.write(0, bytes(PAGE))
        waiting = host.read(0, PAGE)
        with pytest.raises(ns.RequestError, match="under way"):
            nand.advance_shelf_time(days=3)
        await waiting
        await host.flush()
        before = clock.now
        nand.advance_shelf_time(days=90, hours=12, temperature_c=55)
        return clock.now - before

    (moved,) = play(scenario, **{"simulation.cells": "statistical"})
    assert moved < 10**12


PER_CELL = {
    "simulation.cells": "per_cell",
    "channel.count": 1,
    "nand.geometry.blocks_per_plane": 16,
    "nand.geometry.pages_per_block": 24,
    "nand.geometry.page_bytes": 2048,
    "nand.geometry.spare_bytes": 256,
    "controller.mapping.over_provisioning": 1,
}


def means_of(histogram: tuple[np.ndarray, np.ndarray]) -> tuple[int, float]:
    counts, edges = histogram
    return int(counts.sum()), float((counts * (edges[:-1] + edges[1:])).sum() / 2 / counts.sum())


def test_the_cells_of_a_block():
    async def scenario(host, nand):
        for k in range(24 * 4):
            await host.write(4 * k, bytes([k]) * 2048)
        await host.flush()
        block = next(block for block in range(nand.blocks) if nand.programmed_wordlines(block) == 8)
        young = nand.vth_histogram(block)
        again = nand.vth_histogram(block)
        assert np.array_equal(young[0], again[0])
        part = nand.vth_histogram(block, bin_mv=10, wordlines=[0, 3])
        nand.advance_shelf_time(days=365)
        old = nand.vth_histogram(block)
        return young, part, old, await host.read(0, 2048)

    (young, part, old, data) = play(scenario, **PER_CELL)[0]
    cells = 8 * (2048 + 256)  # number of cells in a wordline
    assert young[0].sum() == old[0].sum() == 8 * cells
    assert part[0].sum() == 2 * cells
    assert np.all(np.diff(young[1]) == 50)
    assert len(young[1]) == len(young[0]) + 1
    assert means_of(old)[1] < means_of(young)[1] - 5
    assert data == bytes(2048)


def test_looking_at_cells_changes_nothing():
    async def scenario(host, nand, looks):
        for k in range(60):
            await host.write(4 * k, bytes([k]) * 2048)
        await host.flush()
        if looks:
            nand.vth_histogram(next(block for block in range(nand.blocks) if nand.programmed_wordlines(block)))
        for k in range(60):
            await host.read(4 * k, 2048)

    drives = [drive(**PER_CELL) for _ in range(2)]
    for looks, simulation in enumerate(drives):
        simulation.play(functools.partial(scenario, looks=looks))
    assert simulated(drives[0].stats()) == simulated(drives[1].stats())


def test_cells_that_cannot_be_looked_at():
    async def scenario(host, nand):
        empty = next(block for block in range(nand.blocks) if not nand.programmed_wordlines(block))
        with pytest.raises(ns.RequestError, match=f"no wordline of block {empty} is programmed"):
            nand.vth_histogram(empty)
        with pytest.raises(ns.RequestError, match=f"wordline 2 of block {empty} is not programmed"):
            nand.vth_histogram(empty, wordlines=[2])
        with pytest.raises(ns.RequestError, match=f"no block {nand.blocks}: the device has {nand.blocks}"):
            nand.programmed_wordlines(nand.blocks)
        for k in range(96):
            await host.write(32 * k, bytes(PAGE))
        await host.flush()
        block = next(block for block in range(nand.blocks) if nand.programmed_wordlines(block))
        with pytest.raises(ns.RequestError, match=r"set simulation\.cells to per_cell"):
            nand.vth_histogram(block)
        with pytest.raises(ValueError, match="bin_mv is 0"):
            nand.vth_histogram(block, bin_mv=0)

    play(scenario)


# --- random programs beside a model

SECTORS = 24
STEPS = st.one_of(
    st.tuples(st.just("write"), st.integers(0, SECTORS - 1), st.integers(1, 8), st.integers(1, 255)),
    st.tuples(st.just("read"), st.integers(0, SECTORS - 1), st.integers(1, 8)),
    st.tuples(st.just("trim"), st.integers(0, SECTORS - 1), st.integers(1, 8)),
    st.tuples(st.just("flush")),
    st.tuples(st.just("delay"), st.integers(0, 300)),
    st.tuples(st.just("burst"), st.integers(1, 255)),
    st.tuples(st.just("race"), st.integers(0, 200)),
    st.tuples(st.just("child"), st.integers(0, SECTORS - 1), st.integers(1, 255)),
)


async def program(host: Any, clock: Any, base: int, steps: list[tuple[Any, ...]], model: bytearray) -> int:
    """Performs the steps in its own region of the drive, which no other program writes, and compares the data that it
    reads with `model`.
    """
    compared = 0
    for kind, *values in steps:
        if kind == "delay":
            await clock.delay(us=values[0])
        elif kind == "flush":
            await host.flush()
        elif kind == "burst":
            writes = [host.write(base + k, bytes([values[0] ^ k]) * 512) for k in range(0, SECTORS, 2)]
            await gather(*writes)
            for k in range(0, SECTORS, 2):
                model[512 * k : 512 * (k + 1)] = bytes([values[0] ^ k]) * 512
        elif kind == "race":
            read = host.read(base, 512 * SECTORS)
            await first(clock.delay(us=values[0]), read)
            assert await read == model
            compared += 1
        elif kind == "child":
            sector, fill = values
            await start(_fill(host, base + sector, fill))
            model[512 * sector : 512 * (sector + 1)] = bytes([fill]) * 512
        else:
            begin = values[0]
            count = min(values[1], SECTORS - begin)
            part = slice(512 * begin, 512 * (begin + count))
            if kind == "read":
                assert await host.read(base + begin, 512 * count) == model[part]
                compared += 1
            else:
                fill = values[2] if kind == "write" else 0
                command = (
                    host.write(base + begin, bytes([fill]) * 512 * count) if fill else host.trim(base + begin, count)
                )
                await command
                model[part] = bytes([fill]) * 512 * count
    assert await host.read(base, 512 * SECTORS) == model
    return compared


async def _fill(host: Any, lba: int, fill: int) -> None:
    await host.write(lba, bytes([fill]) * 512)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.lists(STEPS, max_size=12), min_size=1, max_size=5))
def test_random_programs_side_by_side(programs):
    """Each region must hold the data of its own program, whatever the other programs do. A second run must give the
    same result.
    """

    def play_all() -> tuple[list[int], Any]:
        simulation = drive()
        scenarios = [
            functools.partial(program, base=SECTORS * k, steps=steps, model=bytearray(512 * SECTORS))
            for k, steps in enumerate(programs)
        ]
        return simulation.play(*scenarios), simulated(simulation.stats())

    assert play_all() == play_all()


class Supply:
    """A power supply that fails several times. The event `back` is set when the power returns."""

    def __init__(self) -> None:
        self.back = Event("power")
        self.back.set()

    async def fails(self, clock: Any, power: Any, delays_us: list[int]) -> int:
        for delay_us in delays_us:
            await clock.delay(us=delay_us)
            self.back = Event("power")
            power.cut()
            await clock.delay()  # lets the waiting tasks see the loss of power
            power.on()
            self.back.set()
        return len(delays_us)


async def writer(host: Any, supply: Supply, base: int, fills: list[int]) -> None:
    """Writes each fill value with FUA to the next of four pages. After a loss of power, checks the contents of the
    page.
    """
    allowed = {page: {0} for page in range(4)}
    for number, fill in enumerate(fills):
        page = number % 4
        lba = base + 32 * page
        await supply.back
        allowed[page] |= {fill}
        try:
            await host.write(lba, bytes([fill]) * PAGE, fua=True)
            allowed[page] = {fill}
        except ns.RequestError as error:
            assert error.status == "power_lost"  # noqa: PT017 - the error of this write
    await supply.back
    for page, fills_allowed in allowed.items():
        data = await _read(host, supply, base + 32 * page)
        # Each sector must hold one of the allowed fill values. Sectors of the same page may hold different ones.
        assert {data[k : k + 512] for k in range(0, PAGE, 512)} <= {bytes([fill]) * 512 for fill in fills_allowed}


async def _read(host: Any, supply: Supply, lba: int) -> bytes:
    while True:
        await supply.back
        try:
            return await host.read(lba, PAGE)
        except ns.RequestError as error:
            assert error.status == "power_lost"  # noqa: PT017


@settings(max_examples=20, deadline=None, derandomize=True)
@given(
    st.lists(st.lists(st.integers(1, 255), max_size=10), min_size=1, max_size=4),
    st.lists(st.integers(0, 3000), max_size=4),
    st.sampled_from(["capacitor", "none"]),
)
def test_writers_under_a_supply_that_fails(writers, delays_us, protection):
    supply = Supply()
    scenarios = [functools.partial(writer, supply=supply, base=128 * k, fills=fills) for k, fills in enumerate(writers)]
    simulation = drive(**{"controller.power_loss.protection": protection})
    *_, cuts = simulation.play(*scenarios, functools.partial(supply.fails, delays_us=delays_us))
    assert cuts == len(delays_us)
    assert simulation.has_power
