# SPDX-License-Identifier: Apache-2.0
"""Tests that the timeline of a run agrees with its statistics and with its request log."""

from __future__ import annotations

import copy
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import nandscape as ns
from nandscape.result import REQUEST_KINDS

timelines = pytest.importorskip("timelines")

WORN = {
    "simulation.cells": "statistical",
    "nand.cells.set": "tlc_3d_48",
    "nand.condition.pe_cycles": 2000,
    "nand.condition.retention_days": 180,
}
# Requests are large, so that a command covers several pages. There are enough writes to start garbage collection.
BUSY = {
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 0.11,
    "controller.precondition.occupancy": 1,
    "host.workload": [ns.synthetic(requests=1500, read_percent=60, queue_depth=8, block_bytes=32768)],
}


@pytest.fixture
def busy(small: ns.Config) -> ns.Config:
    return small.override(BUSY)


def drawn(config: ns.Config, path: Path, **window: float) -> tuple[ns.Result, Any]:
    """Runs the workloads with a timeline. Returns the result and the timeline."""
    named = {f"simulation.timeline.{key}": value for key, value in window.items()}
    result = ns.run(config.override({"simulation.timeline.file": str(path), **named}))
    return result, timelines.read(path)


def drawn_to_the_end(config: ns.Config, path: Path) -> tuple[dict[str, Any], Any]:
    """Runs the workloads and the drive's work after them. Returns the statistics of both, and their timeline."""
    simulation = ns.Simulation(config.override({"simulation.timeline.file": str(path)}))
    simulation.run()
    return simulation.stats("all"), timelines.read(path)


def of_the_simulated(stats: dict[str, Any]) -> dict[str, Any]:
    kept = copy.deepcopy(stats)
    del kept["simulation"]
    return kept


def test_a_timeline_changes_nothing(busy: ns.Config, tmp_path: Path) -> None:
    plain = ns.run(busy)
    result, _ = drawn(busy, tmp_path / "run.perfetto-trace")
    assert of_the_simulated(result.stats) == of_the_simulated(plain.stats)
    assert (result.requests["latency_ps"] == plain.requests["latency_ps"]).all()


def test_commands_of_the_host_last_as_long_as_its_requests(busy: ns.Config, tmp_path: Path) -> None:
    result, timeline = drawn(busy, tmp_path / "run.perfetto-trace")
    commands = timeline.of("host", "queue 1")
    assert Counter(c.name for c in commands) == Counter(REQUEST_KINDS[kind] for kind in result.requests["kind"])
    shown = sorted(c.length for c in commands)
    logged = sorted(1e-3 * result.requests["latency_ps"])
    # both ends of a slice are truncated to whole ns, so the length may differ by 1 ns
    assert shown == pytest.approx(logged, abs=1.01)


def test_what_buses_and_dies_do_is_what_the_statistics_count(busy: ns.Config, tmp_path: Path) -> None:
    stats, timeline = drawn_to_the_end(busy, tmp_path / "run.perfetto-trace")
    nand = stats["nand"]
    names = Counter(s.name for s in timeline.of("dies"))
    assert names["read"] + names["background read"] == nand["page_reads"]
    assert names["program"] + names["background program"] == nand["page_programs"]
    assert names["erase"] == nand["block_erases"]
    assert names["background program"] > 0

    nanoseconds = 1e9 * stats["simulation"]["simulated_s"]
    assert max(s.end for s in timeline.slices) <= nanoseconds
    on_buses = timeline.of("channels")
    share = stats["channel"]["busy_fraction"]  # the mean of two channels
    # The ends of each slice are truncated to whole ns, so each slice may differ by 1 ns.
    assert sum(s.length for s in on_buses) == pytest.approx(2 * share * nanoseconds, abs=len(on_buses))


def test_a_bus_carries_one_thing_at_a_time(busy: ns.Config, tmp_path: Path) -> None:
    _, timeline = drawn(busy, tmp_path / "run.perfetto-trace")
    for row in ("channel_0", "channel_1"):
        slices = timeline.of("channels", row)
        assert len({s.track for s in slices}) == 1
        assert {"command", "data in", "data out", "status"} <= {s.name for s in slices}


def test_a_page_is_read_while_the_command_that_asks_for_it_is_under_way(small: ns.Config, tmp_path: Path) -> None:
    reads = small.override({**BUSY, "host.workload.0.read_percent": 100})
    result, timeline = drawn(reads, tmp_path / "run.perfetto-trace")
    commands = {flow: command for command in timeline.of("host") for flow in command.flows}
    assert len(commands) == result.stats["host"]["all"]["count"]
    pages = timeline.of("dies")
    served = Counter()
    for page in pages:
        (flow,) = page.flows
        assert commands[flow].begin <= page.begin
        assert page.end <= commands[flow].end
        served[flow] += 1
    assert set(served) == set(commands)
    assert len(pages) == result.stats["nand"]["page_reads"]


def test_work_of_the_device_belongs_to_no_command(busy: ns.Config, tmp_path: Path) -> None:
    _, timeline = drawn(busy, tmp_path / "run.perfetto-trace")
    for s in timeline.of("dies"):
        assert not (s.flows and s.name.startswith("background"))


def test_retries_and_failed_decodes_are_shown(busy: ns.Config, tmp_path: Path) -> None:
    stats, timeline = drawn_to_the_end(busy.override(WORN), tmp_path / "run.perfetto-trace")
    names = Counter(s.name for s in timeline.slices)
    assert names["read retry"] + names["background read retry"] > 0
    assert names["decode"] + names["failed decode"] == stats["ecc"]["decoded_pages"]
    assert names["failed decode"] > 0
    steps = {s.notes["retry step"] for s in timeline.of("dies") if s.name == "read retry"}
    assert max(steps) > 1


def test_a_window_keeps_what_lies_in_it(busy: ns.Config, tmp_path: Path) -> None:
    _, whole = drawn(busy, tmp_path / "whole.perfetto-trace")
    _, part = drawn(busy, tmp_path / "part.perfetto-trace", begin_us=2000, end_us=5000)

    def key(s: Any) -> tuple:
        return (s.group, s.row, s.name, s.begin, s.end, tuple(s.notes.items()))

    inside = [s for s in whole.slices if s.parent is None and s.end >= 2_000_000 and s.begin < 5_000_000]
    kept = Counter(key(s) for s in part.slices if s.parent is None)
    # A slice that begins or ends in the same ns as the window may or may not be included.
    assert sum((Counter(map(key, inside)) - kept).values()) <= 2
    assert sum(kept.values()) > 100


def test_power_is_marked(busy: ns.Config, tmp_path: Path) -> None:
    path = tmp_path / "run.perfetto-trace"
    simulation = ns.Simulation(busy.override({"simulation.timeline.file": str(path)}))
    simulation.read(0, 4096)
    simulation.power_cut()
    simulation.power_on()
    simulation.read(0, 4096)
    timeline = timelines.read(path)
    assert [name for name, _ in timeline.instants] == ["power cut", "power on"]
    assert len(timeline.of("host")) == 2


def test_single_commands_are_on_a_queue_of_their_own(small: ns.Config, tmp_path: Path) -> None:
    path = tmp_path / "run.perfetto-trace"
    simulation = ns.Simulation(small.override({"simulation.timeline.file": str(path)}))
    simulation.write(0, bytes(16384))
    simulation.flush()
    simulation.trim(0, 16384)
    assert [(s.row, s.name) for s in timelines.read(path).of("host")] == [
        ("queue 2", "write"),
        ("queue 2", "flush"),
        ("queue 2", "trim"),
    ]


def test_the_command_writes_one(command: Any, tmp_path: Path) -> None:
    done = command("run", "bare", "--set", "host.workload.0.requests=50", "--timeline", "run.perfetto-trace")
    assert done.returncode == 0, done.stderr
    assert len(timelines.read(tmp_path / "run.perfetto-trace").of("host")) == 50


def test_a_file_that_cannot_be_written_is_named(small: ns.Config, tmp_path: Path) -> None:
    missing = tmp_path / "no_folder" / "run.perfetto-trace"
    with pytest.raises(ns.InputError, match=f"{missing}: this timeline cannot be written"):
        ns.Simulation(small.override({"simulation.timeline.file": str(missing)}))


@pytest.mark.parametrize("group", ["timeline", "waves"])
def test_a_window_that_ends_before_it_begins_is_refused(small: ns.Config, group: str, tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(f"simulation:\n  {group}:\n    file: run\n    begin_us: 10\n    end_us: 5\n")
    complaint = f"study.yaml:5: simulation.{group}.end_us: is 5, but simulation.{group}.begin_us is 10: "
    with pytest.raises(ns.ConfigError, match=re.escape(complaint)):
        ns.load(file)
