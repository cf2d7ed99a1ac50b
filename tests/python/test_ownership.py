# SPDX-License-Identifier: Apache-2.0
"""Tests that a simulation serves only one call at a time, whether the calls come from callbacks, other threads or
forked children.
"""

import gc
import multiprocessing
import os
import subprocess
import sys
import threading
import weakref

import pytest

import nandscape as ns
from conftest import simulated

SMALL = {
    "simulation.data": "stored",
    "simulation.request_log": False,
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 96,
    "controller.mapping.over_provisioning": 0.5,
}
PAGE = bytes(range(256)) * 64


def drive(requests=1000, **changes):
    return ns.Simulation(ns.load("default", {**SMALL, "host.workload.requests": requests, **changes}))


def endless(**changes):
    return drive(requests=10**9, **changes)


CHANGES = {
    "run": lambda s: s.run(),
    "run_until": lambda s: s.run_until("1s"),
    "read": lambda s: s.read(0, 512),
    "write": lambda s: s.write(0, PAGE),
    "trim": lambda s: s.trim(0, 1),
    "flush": lambda s: s.flush(),
    "start_read": lambda s: s.start_read(0, 512),
    "start_write": lambda s: s.start_write(0, PAGE),
    "start_trim": lambda s: s.start_trim(0, 1),
    "start_flush": lambda s: s.start_flush(),
    "wait_all": lambda s: s.wait_all(),
    "identify": lambda s: s.identify(),
    "smart_log": lambda s: s.smart_log(),
    "power_states": lambda s: s.power_states(),
    "power_state": lambda s: s.power_state(),
    "set_power_state": lambda s: s.set_power_state(0),
    "set_power_transitions": lambda s: s.set_power_transitions({}),
    "reset": lambda s: s.reset(),
    "power_cut": lambda s: s.power_cut(),
    "power_on": lambda s: s.power_on(),
    "shut_down": lambda s: s.shut_down(),
    "advance": lambda s: s.advance("1d"),
    "checkpoint": lambda s: s.checkpoint("never-written"),
    "fail_next": lambda s: s.fail_next(0, "program"),
    "fail_block": lambda s: s.fail_block(0),
    "kill_die": lambda s: s.kill_die(0),
    "play": lambda s: s.play(),
    "programmed_wordlines": lambda s: s.programmed_wordlines(0),
    "vth_histogram": lambda s: s.vth_histogram(0),
}
READERS = {
    "now_us": lambda s: s.now_us,
    "has_power": lambda s: s.has_power,
    "workloads_under_way": lambda s: s.workloads_under_way,
    "stats": lambda s: s.stats(),
    "verdict": lambda s: s.verdict,
    "result": lambda s: s.result(),
    "blocks": lambda s: repr(s.blocks()),
    "hierarchy": lambda s: s.hierarchy(),
    "statistics_reference": lambda s: s.statistics_reference(),
    "repr": repr,
}


def test_every_method_is_known_here():
    public = {name for name in dir(ns.Simulation) if not name.startswith("_")}
    assert public - {"restore", "capacity_bytes", "last_latency_us"} == (CHANGES.keys() | READERS.keys()) - {"repr"}


class Running:
    """A context manager. Within its block, another thread runs the simulation."""

    def __init__(self, simulation):
        self._ended = False
        begun = threading.Event()

        def progress(*_):
            begun.set()
            return not self._ended

        self._thread = threading.Thread(target=simulation.run, args=(progress,))
        self._thread.start()
        begun.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ended = True
        self._thread.join()


def within_a_callback(simulation, inside):
    """Calls `inside` once, from the progress callback of a run, and returns its result."""
    called = []

    def progress(*_):
        called.append(inside())
        return False

    simulation.run(progress)
    return called[0]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_callback_may_not_change_its_simulation(change):
    simulation = endless()

    def try_it():
        with pytest.raises(ns.BusyError, match="made this callback"):
            change(simulation)

    within_a_callback(simulation, try_it)
    simulation.power_cut()
    simulation.power_on()
    simulation.write(0, PAGE)
    assert simulation.read(0, len(PAGE)) == PAGE


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_a_callback_may_look_at_its_simulation(reader):
    simulation = endless()
    within_a_callback(simulation, lambda: reader(simulation))


def test_another_thread_is_refused():
    simulation = endless()
    command = simulation.start_read(0, 512)
    command.wait()
    with Running(simulation):
        for call in [*CHANGES.values(), *READERS.values()]:
            with pytest.raises(ns.BusyError, match="another thread"):
                call(simulation)
        assert simulation.capacity_bytes > 0
        assert simulation.config["channel.count"] == 2
        assert command.status == "ok"
    assert simulation.stats()["host"]["all"]["count"] > 0


def test_refusals_are_errors_of_the_package_and_runtime_errors():
    assert issubclass(ns.BusyError, ns.Error)
    assert issubclass(ns.BusyError, RuntimeError)
    assert not issubclass(ns.BusyError, ns.RequestError)


def test_a_refusal_in_a_callback_ends_the_run_when_it_is_not_caught():
    simulation = endless()
    with pytest.raises(ns.BusyError):
        simulation.run(lambda *_: simulation.power_cut())
    simulation.run_until(simulation._core.now + 10**9)


def test_a_callback_may_use_other_simulations_and_wait_for_threads_that_do():
    outer, inner, third = endless(), drive(), drive()

    def use_them():
        inner.run()
        inner.write(0, PAGE)
        thread = threading.Thread(target=third.write, args=(0, PAGE))
        thread.start()
        thread.join()
        return drive().run()

    assert within_a_callback(outer, use_them) is True
    assert inner.read(0, len(PAGE)) == third.read(0, len(PAGE)) == PAGE


def test_one_thread_can_simulate_while_another_does():
    running, other = endless(), drive()
    with Running(running):
        assert other.run()


def test_threads_run_their_events_at_the_same_time():
    """A policy waits in the middle of an event until another thread has simulated."""
    finished = threading.Event()
    waits = []

    class Waiting(ns.policies.Scheduling):
        def choose(self, channel, die, waiting_ps, collection_urgent, suspended):
            if not waits:
                waits.append(finished.wait(60))
            return next(kind for kind in ns.policies.QueueKind if waiting_ps[kind] is not None)

    def simulate_other():
        assert other.run()
        finished.set()

    waiting, other = drive(**{ns.policies.Scheduling.key: Waiting()}), drive()
    thread = threading.Thread(target=simulate_other)
    thread.start()
    assert waiting.run()
    thread.join()
    assert waits == [True]


def test_results_do_not_depend_on_other_threads():
    together = [drive(20_000, **{"simulation.seed": seed}) for seed in (1, 2)]
    threads = [threading.Thread(target=simulation.run) for simulation in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, simulation in enumerate(together, 1):
        alone = drive(20_000, **{"simulation.seed": seed})
        alone.run()
        assert simulated(simulation.stats()) == simulated(alone.stats())


def test_simulations_that_are_collected_in_a_callback():
    class Holder:
        pass

    def left_behind():
        holder = Holder()
        holder.simulation = drive()
        holder.simulation.start_write(0, PAGE)
        holder.itself = holder
        return weakref.ref(holder)

    simulation = endless()
    gone = left_behind()
    within_a_callback(simulation, gc.collect)
    assert gone() is None
    other = drive()
    with Running(simulation := endless()):
        del other
        other = left_behind()
        gc.collect()
        assert other() is None
    simulation.run_until(simulation._core.now + 10**9)


def test_a_simulation_can_be_dropped_in_its_own_callback():
    box = [endless()]
    box[0].run(lambda *_: box.clear() or False)


def status_of_child(child):
    """Calls `child` in a forked process. Returns 0 if the call returns, 2 if it raises BusyError, 1 for any other
    error, and 14 if it hangs.
    """
    import signal

    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            signal.alarm(20)
            child()
            status = 0
        except ns.BusyError:
            status = 2
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_fork_while_nothing_runs():
    simulation = drive()
    simulation.write(0, PAGE)

    def go_on():
        assert simulation.read(0, len(PAGE)) == PAGE
        drive().run()

    assert status_of_child(go_on) == 0
    assert simulation.read(0, len(PAGE)) == PAGE


def count_of(requests):
    simulation = drive(requests)
    simulation.run()
    return simulation.stats()["host"]["all"]["count"]


def test_a_pool_of_forked_processes():
    drive().run()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(count_of, [100, 200, 300]) == [100, 200, 300]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_while_another_thread_simulates():
    simulation, idle = endless(), drive()
    with Running(simulation):
        assert status_of_child(simulation.stats) == 2
        assert status_of_child(lambda: simulation.write(0, PAGE)) == 2
        assert status_of_child(idle.stats) == 0
        assert status_of_child(drive) in (0, 2)  # 0 if the fork happened during a callback in the other thread


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_in_a_callback():
    simulation = endless()

    def in_the_child():
        simulation.stats()
        drive().run()

    assert within_a_callback(simulation, lambda: status_of_child(in_the_child)) == 0


@pytest.mark.parametrize("progress", ["None", "lambda *_: True"])
def test_a_thread_that_simulates_does_not_keep_python_from_ending(progress):
    script = (
        "import threading, time, nandscape as ns\n"
        "endless = {'host.workload.requests': 10**9, 'simulation.request_log': False}\n"
        "simulation = ns.Simulation(ns.load('default', endless))\n"
        f"threading.Thread(target=simulation._core.run, args=({progress},), daemon=True).start()\n"
        "time.sleep(0.5)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
