# SPDX-License-Identifier: Apache-2.0
"""Tests of the durability that Identify reports: a driver that relies on it must not lose data, whenever the power
fails.
"""

import itertools
import random
import sys

import pytest

import nandscape as ns
from nandscape import _core
from nandscape.cli.run import print_result

SECTOR = 512
SECTORS = 96  # the number of sectors that the driver writes; commands cover whole mapping units and parts of them
SMALL = {
    "simulation.data": "stored",
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.blocks_per_plane": 24,
    "nand.geometry.pages_per_block": 24,
    "controller.mapping.over_provisioning": 0.6,
    "controller.mapping.unit_bytes": 4096,
    "controller.cache.capacity_bytes": 64 * 4096,
}

CACHES = {
    "no cache": {"controller.cache.policy": "none"},
    "reads": {"controller.cache.policy": "read"},
    "volatile": {"controller.cache.policy": "read_write", "controller.cache.backup": "none"},
    "backed up": {"controller.cache.policy": "write_back", "controller.cache.backup": "capacitor"},
}
SUPPLIES = {
    "none": {"controller.power_loss.protection": "none"},
    "capacitor": {"controller.power_loss.protection": "capacitor", "controller.power_loss.hold_up_ms": 1000},
    "capacitor too small": {"controller.power_loss.protection": "capacitor", "controller.power_loss.hold_up_ms": 0.5},
}
MAPPINGS = {
    "mapping in memory": {},
    "mapping on flash": {"controller.mapping.cache_bytes": 8192},
    "mapping in host memory": {"controller.mapping.cache_bytes": 4096, "controller.mapping.memory": "host"},
}
STAGES = {
    "plain": {},
    "firmware": {"controller.firmware.write_cycles": 2000},
    "coalescing": {"controller.mapping.write_coalescing_us": 50},
    "write cache of the host off": {"host.nvme.volatile_write_cache": False},
}
COMBINATIONS = [
    pytest.param(cache, supply, mapping, stage, id=", ".join((cache, supply, mapping, stage)))
    for cache, supply, mapping, stage in itertools.product(CACHES, SUPPLIES, MAPPINGS, STAGES)
]


def drive(cache="no cache", supply="none", mapping="mapping in memory", stage="plain", **changes):
    parts = SMALL | CACHES[cache] | SUPPLIES[supply] | MAPPINGS[mapping] | STAGES[stage] | changes
    return ns.Simulation(ns.load("bare", parts))


class Driver:
    """Issues commands, and records which contents a power cut may leave in each sector, according to what Identify
    reports.
    """

    def __init__(self, simulation, seed):
        self.simulation = simulation
        self.random = random.Random(seed)
        identified = simulation.identify()
        self.volatile = identified["volatile_write_cache"]
        assert identified["atomic_write_sectors_power_fail"] >= 1
        assert identified["deallocated_reads_zeroes"]
        # The changes of each sector in the order of issue. Each is a list of its content, whether the command was
        # answered, and whether the content is durable.
        self.changes = [[[bytes(SECTOR), True, True]] for _ in range(SECTORS)]
        self.commands = []
        self.writes = 0

    def start(self):
        first = self.random.randrange(SECTORS)
        count = self.random.choice((1, 3, 8, 16, 32))
        first -= first % count
        count = min(count, SECTORS - first)
        kind = self.random.choices(("write", "forced", "trim", "flush"), (10, 2, 1, 1))[0]
        if kind == "flush":
            if not self.volatile:
                return  # Linux does not send a flush to a drive that has no volatile cache
            covered = [change for sector in self.changes for change in sector if change[1]]
            self.commands.append((self.simulation.start_flush(), covered, True))
            return
        # A sector has at most one outstanding change, so that the order of its changes is known.
        if any(not c.done and any(x in changes for x in self.last_of(first, count)) for c, changes, _ in self.commands):
            return
        contents = [bytes(SECTOR)] * count
        if kind != "trim":
            self.writes += 1
            contents = [bytes([self.writes & 255, self.writes >> 8, k, 77]) * (SECTOR // 4) for k in range(count)]
        own = [[content, False, False] for content in contents]
        for sector, change in zip(self.changes[first : first + count], own, strict=True):
            sector.append(change)
        if kind == "trim":
            command = self.simulation.start_trim(first, count)
        else:
            command = self.simulation.start_write(first, b"".join(contents), fua=kind == "forced")
        self.commands.append((command, own, not self.volatile or kind == "forced"))

    def last_of(self, first, count):
        return [sector[-1] for sector in self.changes[first : first + count]]

    def harvest(self):
        left = []
        for command, changes, makes_durable in self.commands:
            if not command.done:
                left.append((command, changes, makes_durable))
            elif command.status == "ok":
                for change in changes:
                    change[1] = True
                    change[2] |= makes_durable
            else:
                assert command.status == "power_lost"
        self.commands = left

    def run_for(self, microseconds):
        self.simulation.run_until(f"{self.simulation.now_us + microseconds:.6f}us")

    def work(self, steps):
        for _ in range(steps):
            self.start()
            self.run_for(self.random.choice((0, 1, 20, 300)))
            self.harvest()

    def cut(self):
        self.run_for(self.random.uniform(0, 3000))
        self.harvest()
        self.simulation.power_cut()
        self.harvest()
        assert not self.commands
        self.simulation.power_on()

    def lost(self):
        """Returns the number of sectors whose content is not allowed, and the number of sectors that lack their latest
        answered write.
        """
        data = self.simulation.read(0, SECTORS * SECTOR)
        wrong = missed = 0
        for k, changes in enumerate(self.changes):
            found = data[k * SECTOR : (k + 1) * SECTOR]
            durable = max(n for n, change in enumerate(changes) if change[2])
            answered = max(n for n, change in enumerate(changes) if change[1])
            wrong += found not in [content for content, _, _ in changes[durable:]]
            if changes[answered][0] != bytes(SECTOR):
                missed += found not in [content for content, _, _ in changes[answered:]]
            self.changes[k] = [[found, True, True]]
        return wrong, missed


@pytest.mark.parametrize(("cache", "supply", "mapping", "stage"), COMBINATIONS)
def test_a_driver_that_believes_identify_loses_nothing(cache, supply, mapping, stage):
    simulation = drive(cache, supply, mapping, stage)
    driver = Driver(simulation, repr((cache, supply, mapping, stage)))
    counted = 0
    for _ in range(6):
        driver.work(25)
        driver.cut()
        wrong, missed = driver.lost()
        power_loss = simulation.stats()["controller"]["power_loss"]
        assert wrong == 0
        assert missed <= power_loss["lost_acknowledged_sectors"] - counted
        counted = power_loss["lost_acknowledged_sectors"]
    assert power_loss["lost_promised_sectors"] == 0
    if not driver.volatile and stage != "write cache of the host off":
        assert counted == 0


@pytest.mark.parametrize(
    ("cache", "supply", "volatile"),
    [
        ("no cache", "none", True),
        ("no cache", "capacitor", False),
        ("no cache", "capacitor too small", True),
        ("reads", "capacitor", False),
        ("volatile", "none", True),
        ("volatile", "capacitor", True),
        ("backed up", "none", False),  # default hold-up time
        ("backed up", "capacitor", False),
        ("backed up", "capacitor too small", True),
    ],
)
def test_all_stages_together_say_whether_writes_are_volatile(cache, supply, volatile):
    assert drive(cache, supply).identify()["volatile_write_cache"] == volatile
    off = drive(cache, supply, stage="write cache of the host off")
    assert not off.identify()["volatile_write_cache"]


def test_the_cache_of_the_default_drive_is_volatile():
    simulation = ns.Simulation(ns.load("default"))
    assert simulation.identify()["volatile_write_cache"]
    simulation.write(0, bytes(4096))
    assert simulation.flush() > 500, "us: it programs a page"


@pytest.mark.parametrize("preset", [name for name, _ in _core.list_presets()])
def test_the_capacitor_suffices_in_all_presets(preset):
    power_loss = ns.Simulation(ns.load(preset)).stats()["controller"]["power_loss"]
    assert power_loss["hold_up_most_us"] <= 1e3 * ns.load(preset)["controller.power_loss.hold_up_ms"]


def cut_after_writes(pages, **changes):
    simulation = ns.Simulation(ns.load("bare", {"simulation.data": "stored", **changes}))
    contents = [bytes([page + 1]) * 16384 for page in range(pages)]
    for page, content in enumerate(contents):
        simulation.write(32 * page, content)
    simulation.power_cut()
    figures = simulation.stats()["controller"]["power_loss"]
    simulation.power_on()
    gone = sum(simulation.read(32 * page, 16384) != content for page, content in enumerate(contents))
    return figures, gone


CACHED = {
    "controller.cache.policy": "write_back",
    "controller.cache.backup": "capacitor",
    "controller.power_loss.protection": "none",
}


@pytest.mark.parametrize(
    "changes",
    [
        {"controller.power_loss.protection": "none"},
        {"controller.power_loss.hold_up_ms": 1.5},
        {**CACHED, "controller.power_loss.hold_up_ms": 2},
        {"controller.cache.policy": "write_back"},
    ],
)
def test_lost_writes_are_counted(changes):
    figures, gone = cut_after_writes(60, **changes)
    assert gone > 0
    assert figures["lost_acknowledged_writes"] == gone
    assert figures["lost_acknowledged_sectors"] == 32 * gone
    assert figures["lost_promised_sectors"] == 0  # Identify reports a volatile cache, so nothing was promised


def test_a_write_that_a_dying_die_takes_with_it_is_counted():
    changes = {"nand.geometry.page_bytes": 4096, "nand.geometry.spare_bytes": 512, "controller.parity.stripe_dies": 2}
    simulation = drive(supply="capacitor", **changes)
    assert not simulation.identify()["volatile_write_cache"]
    simulation.write(0, SECTOR * b"a", fua=True)
    # the program of the write and the programs that replace it on other wordlines
    simulation.fail_next(0, "program", 3)
    simulation.power_cut()
    simulation.power_on()
    figures = simulation.stats()["controller"]["power_loss"]
    assert simulation.read(0, SECTOR) == bytes(SECTOR)
    assert figures["lost_acknowledged_writes"] == figures["lost_acknowledged_sectors"] == 1
    assert figures["lost_promised_sectors"] == 1


def test_the_time_energy_and_capacitance_that_saving_takes():
    changes = {"controller.power_loss.hold_up_w": 3, "nand.energy.program_mw": 100}
    saved, gone = cut_after_writes(60, **changes)
    assert gone == 0 == saved["lost_acknowledged_writes"]
    assert saved["hold_up_needed_us"] == saved["hold_up_us"]
    assert 700 < saved["hold_up_needed_us"] < saved["hold_up_most_us"]
    base = 3 * saved["hold_up_needed_us"] * 1e-6
    assert base < saved["hold_up_needed_j"] < base + 1e-4 * 700 * 60 * 3 * 1.1 * 1e-3
    assert saved["capacitor_needed_f"] == pytest.approx(2 * saved["hold_up_needed_j"] / (12**2 - 6**2))

    # If the capacitor cannot finish the save, the drive estimates how long a complete save would take. The estimate is
    # within a factor of 2.5.
    short, gone = cut_after_writes(60, **changes, **{"controller.power_loss.hold_up_ms": 0.8})
    assert gone > 0
    assert short["hold_up_us"] == pytest.approx(800)
    assert 0.4 < short["hold_up_needed_us"] / saved["hold_up_needed_us"] < 2.5


def test_voltages_that_no_capacitor_has_are_refused():
    with pytest.raises(ns.ConfigError, match="must be below capacitor_v"):
        ns.load("bare", {"controller.power_loss.cut_off_v": 12})


def test_a_run_says_what_was_lost(capsys):
    simulation = ns.Simulation(ns.load("default", {"host.workload.requests": 100}))
    for page in range(5):
        simulation.write(8 * page, bytes(4096))
    simulation.power_cut()
    simulation.power_on()
    simulation.run()
    assert "5 acknowledged writes lost" in repr(simulation.result())
    print_result(simulation.result(), sys.stdout)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines if line.startswith("acknowledged writes lost")] == ["5"]
