# SPDX-License-Identifier: Apache-2.0
"""Draws random configurations from the schema and uses each of them briefly. Their values are ends of ranges, pairs of
such ends, and values just outside a range.

`python drawn_configurations.py FIRST COUNT` tests a range of configurations in child processes, and prints those that
neither run nor are refused with a readable message. `python drawn_configurations.py --show NUMBER` prints one
configuration.
"""

from __future__ import annotations

import itertools
import json
import math
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import nandscape as ns
from address_space import limit_address_space
from nandscape import _core

# A device that is small, so that the drawn values take effect quickly, but has room for every kind of request.
SMALL: dict[str, Any] = {
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 0.4,
    "simulation.data": "stored",
    "host.workload.requests": 20,
}
Configuration = Callable[[int], dict[str, Any]]
Attempt = Callable[[dict[str, Any]], str]

CPU_LIMIT_S = 5
LONGEST_WAIT_S = 120  # the wall time after which a process that uses no CPU time is considered to hang
MEMORY_LIMIT = 3 << 30
LONGEST_MESSAGE = 3000
TRACE = Path(__file__).parents[2] / "scenarios" / "traces" / "pgbench.csv.zst"

# The number of requests of the drawn workload is limited only by this value, since a run with many requests would take
# too long.
MOST_REQUESTS = 40

ROWS = _core.list_parameters()


def selector_of(row: Any) -> Any:
    """Returns the parameter whose value selects the variant to which the parameter `row` belongs."""
    group = row.path
    while group := group.rpartition(".")[0]:
        for other in ROWS:
            if other.path.rpartition(".")[0] == group and row.variant in other.range.split(" | "):
                return other
    raise LookupError(f"no parameter beside {row.path} selects {row.variant}")


def choose(row: Any, keys: dict[str, Any]) -> None:
    """Sets `keys` so that the variants are selected in which the parameter `row` exists."""
    if not row.variant:
        return
    selector = selector_of(row)
    choose(selector, keys)
    keys[selector.path] = row.variant


def bounds(row: Any) -> tuple[float | None, float | None]:
    if " .. " in row.range:
        low, _, high = row.range.partition(" .. ")
        return number(low), number(high)
    if row.range.startswith(">= "):
        return number(row.range[3:]), None
    if row.range.startswith("<= "):
        return None, number(row.range[3:])
    return None, None


def number(text: str) -> float:
    return int(text) if text.lstrip("-").isdigit() else float(text)


def extremes(row: Any, draw: random.Random) -> Any:
    """Draws a value at or near an end of the parameter's range. With a probability of 0.1, the value may be outside the
    range.
    """
    beyond = draw.random() < 0.1
    if row.type == "boolean":
        return draw.choice([False, True])
    if row.type == "text":
        odd = ["", "x", "/", "\0", "é" * 100, "no/such/file.yaml", "default", "tlc_3d_48", "ycsb_a"]
        return draw.choice(odd) if beyond else row.standard.strip('"')
    if row.type == "list of texts":
        return draw.choice([[5], {"read": "r"}] if beyond else [[], ["r"], "r w", ["r", "r"], ["time_us", "op", ""]])
    low, high = bounds(row)
    if row.type == "integer":
        low, high = -(2**63) if low is None else low, 2**63 - 1 if high is None else high
        if beyond:
            return draw.choice([low - 1, high + 1])
        powers = [1 << k for k in range(63) if low <= 1 << k <= high]
        if row.unit == "bytes" and powers and draw.random() < 0.7:
            return draw.choice([low, high, *powers])
        near = [low, high, low + 1, high - 1, *powers[-1:], min(high, 255), min(high, 256)]
        return draw.choice([*near, draw.randint(low, high), min(high, max(low, draw.randint(0, 64)))])
    low, high = -1e300 if low is None else low, 1e300 if high is None else high
    outside = [math.nextafter(low, -math.inf), math.nextafter(high, math.inf), math.nan, math.inf, -math.inf]
    small = [number for number in (1e-300, 1e-9, 0.5, 1, 1000) if low <= number <= high]
    near = [low, high, math.nextafter(low, high), math.nextafter(high, low), low + (high - low) * draw.random()]
    value = draw.choice(outside if beyond else [*near, *small])
    if row.type == "list of reals":
        length = row.standard.count(",") + 1
        return draw.choice([[value] * length, [value + k * abs(value) for k in range(length)], [value] * 300, []])
    return value


def drawn(seed: int) -> dict[str, Any]:
    """Returns the configuration with the number `seed`. One or more of its parameters have extreme values, and the
    others have their defaults.
    """
    draw = random.Random(seed)
    keys = {**SMALL, "extends": draw.choice(["bare", "default"])}
    count = draw.choice([1, 1, 2, 2, 2, 3, 5, 8, 20])
    if draw.random() < 0.2:  # draw only variants and choices, and leave numbers at their defaults
        rows = [row for row in ROWS if row.type in ("choice", "boolean") and draw.random() < 0.3]
    else:
        rows = [ROWS[seed % len(ROWS)], *draw.sample(ROWS, count - 1)]
    for row in rows:
        choose(row, keys)
    for row in rows:
        keys[row.path] = draw.choice(row.range.split(" | ")) if row.type == "choice" else extremes(row, draw)
    if keys.get("host.workload.pacing") == "open":
        keys.setdefault("host.workload.rate_iops", 1e5)
    if keys.get("host.workload.kind") == "trace":
        keys.setdefault("host.workload.path", str(TRACE))
    return keys


def geometries(pairs_of_ends: bool) -> list[dict[str, Any]]:
    """Returns geometries with one count at an end of its range, geometries with two counts at an end of their ranges,
    and the geometry with all counts at their upper ends."""
    rows = [row for row in ROWS if row.type == "integer" and row.path.startswith(("nand.geometry.", "channel.count"))]
    ends = [(0, 0), (0, 1), (1, 0), (1, 1)] if pairs_of_ends else [(1, 1)]
    found = [{**SMALL, row.path: end} for row in rows for end in bounds(row)]
    for one, other in itertools.combinations(rows, 2):
        found += [{**SMALL, one.path: bounds(one)[k], other.path: bounds(other)[n]} for k, n in ends]
    return [*found, {**SMALL, **{row.path: bounds(row)[1] for row in rows}}]


def use(keys: dict[str, Any]) -> str:
    """Loads the configuration, builds the drive and uses it briefly. Returns a word for the outcome."""
    changes = dict(keys)
    config = ns.load(changes.pop("extends", "bare"), changes)
    sim = ns.Simulation(config)
    sectors = sim.capacity_bytes // 512
    step = max(8, sectors // 7 // 8 * 8)
    for k in range(3):
        lba = min(k * step, max(0, sectors - 8))
        sim.write(lba, bytes([k]) * 4096)
        sim.read(lba, 4096)
    sim.flush()
    sim.trim(0, min(64, sectors))
    sim.write(0, bytes(4096), fua=True)
    sim.run(lambda completed, expected, now: completed < MOST_REQUESTS)
    sim.run_until("1 ms")
    sim.stats()
    return "ran"


def load(keys: dict[str, Any]) -> str:
    """Loads the configuration without building a drive. Returns a word for the outcome."""
    changes = dict(keys)
    ns.load(changes.pop("extends", "bare"), changes)
    return "ran"


def choices() -> list[tuple[Any, Any]]:
    """Returns pairs of a parameter and a value, for each value of each choice and each switch. Values that cannot be
    given in a file are left out.
    """
    found = []
    for row in ROWS:
        values = [False, True] if row.type == "boolean" else row.range.split(" | ") if row.type == "choice" else []
        found += [(row, value) for value in values]
    return found


def pairs_of_choices(base: str) -> list[dict[str, Any]]:
    """Returns a configuration for each pair of choices of two different parameters, without duplicates. Each
    configuration extends `base` and selects the variants to which the two choices belong."""
    found: dict[str, dict[str, Any]] = {}
    for (one, first), (other, second) in itertools.combinations(choices(), 2):
        keys: dict[str, Any] = {"extends": base}
        choose(one, keys)
        choose(other, keys)
        if one.path == other.path or keys.get(one.path, first) != first or keys.get(other.path, second) != second:
            continue  # the two choices belong to different variants of one parameter
        keys |= {one.path: first, other.path: second}
        found.setdefault(json.dumps(keys, sort_keys=True), keys)
    return list(found.values())


def outcome(keys: dict[str, Any], attempt: Attempt = use) -> str:
    try:
        return attempt(keys)
    except (ns.ConfigError, ns.InputError, ns.RequestError) as error:
        told = str(error)
        if not 10 < len(told) < LONGEST_MESSAGE or not all(line.isprintable() for line in told.splitlines()):
            return f"a message of {len(told)} characters: {told[:300]!r}"
        return "refused"
    except Exception:
        return "raised " + traceback.format_exc()[-1500:]


def _child(folder: str, numbers: Sequence[int], configuration: Configuration, attempt: Attempt, results: Any) -> None:
    os.chdir(folder)  # some configurations name files that a run creates in the current folder
    limit_address_space(MEMORY_LIMIT)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in numbers:
        used = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(used) + CPU_LIMIT_S, resource.RLIM_INFINITY))
        results.send((number, None))
        results.send((number, outcome(configuration(number), attempt)))
    results.close()


def findings(
    numbers: Sequence[int], configuration: Configuration = drawn, attempt: Attempt = use
) -> tuple[dict[int, str], dict[str, int]]:
    """Tests configurations in child processes. A child that crashes or takes too long is replaced by a new one.

    Returns the failures by the number of the configuration, and how often each outcome occurred.
    """
    wrong: dict[int, str] = {}
    counts = dict.fromkeys(("ran", "refused", "wrong"), 0)
    context = multiprocessing.get_context("fork")
    while numbers:
        receiver, sender = context.Pipe(duplex=False)
        # Each process tests only a few configurations, so that memory that one configuration does not free cannot make
        # another one fail.
        with tempfile.TemporaryDirectory() as folder:
            child = context.Process(target=_child, args=(folder, numbers[:50], configuration, attempt, sender))
            child.start()
            sender.close()
            begun = None  # number of the configuration that is being tested
            tried = 0
            for number, result in _received(receiver):
                begun = number if result is None else None
                tried += result is None
                if result is not None:
                    kind = result if result in counts else "wrong"
                    counts[kind] += 1
                    if kind == "wrong":
                        wrong[number] = result
            child.kill()  # it may hang
            child.join()
        if begun is not None:
            counts["wrong"] += 1
            wrong[begun] = f"ended with status {child.exitcode}"
        if tried == 0:
            raise RuntimeError(f"the child ended with status {child.exitcode} before its first configuration")
        numbers = numbers[tried:]
    return wrong, counts


def _received(receiver: Any) -> Iterator[tuple[int, str | None]]:
    try:
        while receiver.poll(LONGEST_WAIT_S):
            yield receiver.recv()
    except EOFError:
        return


def main() -> None:
    if sys.argv[1] == "--show":
        keys = drawn(int(sys.argv[2]))
        print(json.dumps({key: value for key, value in keys.items() if SMALL.get(key) != value}, indent=1))
        print(outcome(keys))
        return
    first, count = map(int, sys.argv[1:3])
    wrong, counts = findings(range(first, first + count))
    for seed, what in wrong.items():
        print(f"{seed}: {what}")
        print("   ", {key: value for key, value in drawn(seed).items() if SMALL.get(key) != value})
    print(counts)


if __name__ == "__main__":
    main()
