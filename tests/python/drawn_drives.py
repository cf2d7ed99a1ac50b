# SPDX-License-Identifier: Apache-2.0
"""Draws small drives with the least spare flash and uses them at random, with failures and power cuts.

Some of the drives have policies in Python that return any legal answer. Some run a workload first, with a warm-up.

    .venv/bin/python tests/python/drawn_drives.py FIRST_SEED LAST_SEED [--no-cuts]

tests the drives of these seeds. It prints the drives that did not end a command, took too long, failed without a
reason, or counted more in the measured window than in the whole run.
"""

import argparse
import random

import nandscape as ns
from nandscape import policies

LONGEST_US = 10e6
PAGE = 16384


class AnyQueue(policies.Scheduling):
    """Chooses any queue with waiting commands. Sometimes chooses no queue, so that a suspended operation is resumed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, channel, die, waiting_ps, collection_urgent, suspended):
        if suspended and self.random.random() < 0.3:
            return None
        return self.random.choice([kind for kind in policies.QueueKind if waiting_ps[kind] is not None])


class AnyVictim(policies.VictimSelection):
    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, candidates):
        return self.random.randrange(len(candidates.valid_units))


class AnyPlane(policies.Allocation):
    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, unit, planes):
        return self.random.choice(list(unit.in_turn))


POLICIES = [AnyQueue, AnyVictim, AnyPlane]
WARMUPS = {
    "time_ms": [1, 100],
    "requests": [1, 100, 1000],
    "data_mib": [0.1, 2],
    "drive_writes": [0.01, 0.5],
    "steady": [True],
}


class NoDevice(Exception):
    """Raised if no valid configuration could be drawn."""


def draw_device(draw):
    planes, blocks = draw.choice([1, 2]), draw.choice([12, 14, 16, 20])
    dies = draw.choice([1, 2, 4])
    parity = draw.random() < 0.4
    if parity:
        dies = draw.choice([2, 3, 4])
    device = {
        "channel.count": dies if draw.random() < 0.6 else 1,
        "nand.geometry.planes_per_die": planes,
        "nand.geometry.blocks_per_plane": blocks,
        "nand.geometry.pages_per_block": draw.choice([6, 12, 12, 24]),
        "controller.garbage_collection.start_free_blocks": draw.choice([2, 2, 3]),
        "controller.garbage_collection.policy": draw.choice(["greedy", "fifo", "random", "d_choices", "cost_benefit"]),
        "controller.streams.policy": draw.choice(["by_source", "single", "hot_cold"]),
        "controller.mapping.plane": draw.choice(["by_address", "least_busy"]),
        "controller.precondition.distribution": draw.choice(["steady_state", "scattered"]),
        "controller.garbage_collection.pace": draw.choice(["free", "balanced"]),
        "simulation.seed": draw.randrange(1000),
    }
    device["nand.geometry.chips_per_channel"] = 1 if device["channel.count"] == dies else dies
    device["nand.geometry.dies_per_chip"] = 1
    if parity:
        device["controller.parity.stripe_dies"] = draw.choice([k for k in range(2, dies + 1) if dies % k == 0])
    device["controller.power_loss.protection"] = "none" if draw.random() < 0.7 else "capacitor"
    device["controller.mapping.unit_bytes"] = draw.choice([0, 0, 4096, 8192])
    if draw.random() < 0.3:
        device["controller.cache.policy"] = "read_write"
        device["controller.cache.capacity_bytes"] = 32 * PAGE
    if draw.random() < 0.15 and not parity:
        device["controller.garbage_collection.copyback"] = True
    if draw.random() < 0.15:
        device["controller.mapping.cache_bytes"] = PAGE
    if draw.random() < 0.2:
        device["controller.scheduler.policy"] = draw.choice(["fifo", "read_first", "priority", "flin"])
    if draw.random() < 0.2:
        device["controller.wear_levelling.static_threshold"] = 5
    if draw.random() < 0.15:
        device["controller.read_disturb.limit_reads"] = 500
    if draw.random() < 0.2:
        device["nand.coding"] = "slc"
        device["nand.timing.t_read_us"] = [60]
    if draw.random() < 0.2:
        policy = draw.choice(POLICIES)
        device[policy.key] = policy(draw.randrange(1000))
    if draw.random() < 0.3:
        requests, depth, share = draw.choice([100, 1500]), draw.choice([1, 8]), draw.choice([0, 50, 100])
        device["host.workload"] = [ns.synthetic(requests=requests, queue_depth=depth, read_percent=share)]
        for key in draw.sample(sorted(WARMUPS), draw.choice([0, 1, 1, 2])):
            device[f"simulation.warmup.{key}"] = draw.choice(WARMUPS[key])
    return device


def with_least_spares(draw, device):
    """Returns the configuration with the smallest over-provisioning that the device accepts, or a slightly larger
    one.
    """
    device["controller.mapping.over_provisioning"] = 0
    told = "it must be at least "
    for _ in range(3):
        try:
            return ns.load("default", device)
        except ns.ConfigError as error:
            text = str(error)
            if told in text:
                least = float(text.split(told)[1].split(",")[0])
                device["controller.mapping.over_provisioning"] = least * draw.choice([1, 1, 1.1, 1.5])
            elif "give the planes more blocks" in text:
                device["nand.geometry.blocks_per_plane"] += 4
            else:
                raise
    raise NoDevice


def draw_configuration(draw):
    for _ in range(20):
        device = draw_device(draw)
        try:
            return with_least_spares(draw, device), device
        except (ns.ConfigError, NoDevice):
            continue
    raise AssertionError("none of the drawn devices can be built")


# Statistics that count events, so that they never decrease.
COUNTS = [
    "host.all.count",
    "host.all.bytes",
    "controller.host_pages",
    "controller.gc.victims",
    "nand.page_reads",
    "nand.page_programs",
    "nand.block_erases",
    "energy.total_j",
]


def figure(stats, path):
    for name in path.split("."):
        stats = stats[name]
    return stats


class DrawnDrive:
    """A drawn drive. After it has been used, `complaint` describes the failure, or is None if there was no failure."""

    def __init__(self, seed, cuts=True):
        self.draw = draw = random.Random(seed)
        configuration, device = draw_configuration(draw)
        self.device = device
        self.simulation = ns.Simulation(configuration)
        self.sectors = self.simulation.capacity_bytes // 512
        self.span = max(64, int(self.sectors * draw.choice([1, 0.5, 0.125])))
        self.dies = device["channel.count"] * device["nand.geometry.chips_per_channel"]
        planes = self.dies * device["nand.geometry.planes_per_die"]
        self.blocks = planes * device["nand.geometry.blocks_per_plane"]
        self.failures = draw.choice([0, 0.002, 0.01, 0.02])
        self.cuts = draw.choice([0, 0.002, 0.01]) if cuts else 0
        self.flushes, self.forced = draw.choice([0, 0.05, 0.5, 1]), draw.choice([0, 0.1])
        self.dies_to_kill = draw.random() < 0.05
        self.burst = draw.choice([1, 1, 8])
        self.fails = self.failures != 0 or self.dies_to_kill
        self.longest_us = 0.0
        self.read_only = False
        self.complaint = None

    def run_workloads(self):
        """Runs the workloads to their end, and checks that the measured window does not count more than the whole
        run.
        """
        asked = sum(workload["requests"] for workload in self.device["host.workload"])
        self.simulation.run()
        window, history = self.simulation.stats(), self.simulation.stats("all")
        if not self.simulation.verdict:
            self.complaint = "the result has no verdict on the measured window"
        if history["host"]["all"]["count"] != asked:
            self.complaint = "not all requests of the workload are counted"
        for path in COUNTS:
            part, whole = figure(window, path), figure(history, path)
            if not 0 <= part <= whole:
                self.complaint = f"{path} is {part} in the window but {whole} overall"

    def fail(self):
        draw = self.draw
        if self.failures and draw.random() < self.failures:
            kind = draw.random()
            if kind < 0.4:
                self.simulation.fail_block(draw.randrange(self.blocks))
            elif kind < 0.8:
                self.simulation.fail_next(draw.randrange(self.dies), "program", draw.choice([1, 1, 2]))
            else:
                self.simulation.fail_next(draw.randrange(self.dies), "erase", 1)
        if self.dies_to_kill and draw.random() < 0.0005:
            self.simulation.kill_die(draw.randrange(self.dies))
            self.dies_to_kill = False

    def command(self):
        draw = self.draw
        kind = draw.random()
        lba = draw.randrange(self.span // 8) * 8
        size = draw.choice([4096, 4096, PAGE])
        if lba * 512 + size > self.simulation.capacity_bytes:
            size = 4096
        if kind < 0.75:
            return self.simulation.start_write(lba, b"x" * size, fua=draw.random() < self.forced)
        if kind < 0.93:
            return self.simulation.start_read(lba, size)
        return self.simulation.start_trim(lba, draw.choice([8, 8, 32, 64]) if lba + 64 < self.sectors else 8)

    def cut(self):
        most = self.draw.choice([10, 100, 1000, 10000])
        self.simulation.run_until(f"{self.simulation.now_us + most * self.draw.random():.3f}us")
        self.simulation.power_cut()
        self.simulation.power_on()

    def end(self, command):
        begin = self.simulation.now_us
        while not command.done:
            if self.simulation.now_us - begin > LONGEST_US:
                self.complaint = "a command is open for too long"
                return
            self.simulation.run_until(f"{self.simulation.now_us + 2e5:.3f}us")
        self.longest_us = max(self.longest_us, command.latency_us)
        if command.status == "write_protected":
            self.read_only = True
        elif command.status == "unrecovered_read_error":
            if not self.fails:
                self.complaint = "a read failed on a sound drive"
        elif command.status != "ok":
            self.complaint = f"a command ended with {command.status}"

    def use(self, operations):
        if "host.workload" in self.device:
            self.run_workloads()
        for _ in range(operations):
            self.fail()
            commands = [self.command() for _ in range(self.burst)]
            if self.cuts and self.draw.random() < self.cuts:
                self.cut()
                continue
            if self.draw.random() < self.flushes:
                commands.append(self.simulation.start_flush())
            for command in commands:
                self.end(command)
                if self.complaint is not None:
                    return
            if self.read_only:
                break
        if self.read_only and not self.fails:
            self.complaint = "a sound drive has become read-only"
        elif self.longest_us > LONGEST_US:
            self.complaint = "a command took too long"
        elif self.simulation.stats()["controller"]["stalls"] != 0:
            self.complaint = "the drive had to stop"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--no-cuts", action="store_true")
    parser.add_argument("--operations", type=int, default=1500)
    arguments = parser.parse_args()
    failed, read_only, longest_us = 0, 0, 0.0
    for seed in range(arguments.first, arguments.last + 1):
        drive = DrawnDrive(seed, not arguments.no_cuts)
        drive.use(arguments.operations)
        longest_us = max(longest_us, drive.longest_us)
        read_only += drive.read_only
        if drive.complaint is not None:
            failed += 1
            print(f"seed {seed}: {drive.complaint}; {drive.device}", flush=True)
    drives = arguments.last - arguments.first + 1
    print(f"{drives} drives, {failed} failed, {read_only} read-only in the end, longest command {longest_us:.0f} us")
    return failed != 0


if __name__ == "__main__":
    raise SystemExit(main())
