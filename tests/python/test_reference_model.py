# SPDX-License-Identifier: Apache-2.0
"""Compares the device with a simple reference model, a dictionary: after any host commands and any failures, each
sector must hold a content that the model allows."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import nandscape as ns

SECTOR = 512
PAGE_SECTORS = 32
ZEROES = 0
# Two dies of two planes. Each plane has 12 blocks of 12 pages of 16 KiB.
TINY = {
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.dies_per_chip": 1,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 12,
    "nand.geometry.pages_per_block": 12,
    "controller.mapping.over_provisioning": 1.5,
    "controller.garbage_collection.start_free_blocks": 2,
    # The drive is full at the start, so that garbage collection begins with the first writes.
    "controller.precondition.distribution": "steady_state",
    "simulation.data": "stored",
    "simulation.request_log": False,
}

CONFIGURATIONS = st.fixed_dictionaries(
    {
        "controller.garbage_collection.policy": st.sampled_from(
            ["greedy", "d_choices", "random", "random_p", "random_pp", "fifo", "cost_benefit"]
        ),
        "controller.streams.policy": st.sampled_from(["by_source", "single", "hot_cold"]),
        "controller.scheduler.policy": st.sampled_from(["out_of_order", "fifo", "read_first", "priority", "flin"]),
        "controller.scheduler.cache_program": st.booleans(),
        "controller.mapping.unit_bytes": st.sampled_from([0, 4096]),
        "controller.mapping.plane": st.sampled_from(["by_address", "least_busy"]),
        "controller.power_loss.protection": st.sampled_from(["capacitor", "none"]),
        "controller.garbage_collection.pace": st.sampled_from(["free", "balanced"]),
        "controller.cache": st.sampled_from(
            [
                {"policy": "none"},
                {"policy": "write_back", "backup": "none"},
                {"policy": "write_back", "backup": "capacitor"},
                {"policy": "read_write", "backup": "none"},
            ]
        ),
    }
)

# The first few pages are accessed often, so that accesses to them overlap and blocks are collected.
PAGES = st.one_of(st.integers(0, 3), st.integers(0, 200))


@st.composite
def extents(draw: st.DrawFn) -> tuple[int, int]:
    """Draws a first sector and a number of sectors. They cover whole pages, a part of a page, or parts of several
    pages.
    """
    page = draw(PAGES)
    if draw(st.booleans()):
        return page * PAGE_SECTORS, PAGE_SECTORS * draw(st.integers(1, 2))
    return page * PAGE_SECTORS + draw(st.integers(0, PAGE_SECTORS - 1)), draw(st.integers(1, 40))


STEPS = st.one_of(
    st.tuples(st.just("write"), extents(), st.booleans()),
    st.tuples(st.just("write"), extents(), st.just(False)),
    st.tuples(st.just("burst"), PAGES, st.integers(1, 32)),
    st.tuples(st.just("read"), extents()),
    st.tuples(st.just("trim"), extents()),
    st.tuples(st.just("flush")),
    st.tuples(st.just("wait")),
    st.tuples(st.just("reset")),
    st.tuples(st.just("fail"), st.sampled_from(["program", "erase"]), st.integers(0, 1), st.integers(1, 3)),
    st.tuples(st.just("advance"), st.floats(1, 1000)),
    st.tuples(st.just("kill"), st.integers(0, 1)),
    st.tuples(st.just("power_cut")),
    st.tuples(st.just("shut_down")),
)


@dataclass
class Sector:
    """The contents that a sector may have. A content is represented by the number of the write, or by ZEROES."""

    allowed: set[int] = field(default_factory=lambda: {ZEROES})
    # contents of outstanding writes and trims
    coming: list[int] = field(default_factory=list)
    # Contents that are allowed after a power cut: the contents at the last flush, and all later ones.
    durable: set[int] = field(default_factory=lambda: {ZEROES})
    # All contents that the sector has had since the start.
    ever: set[int] = field(default_factory=lambda: {ZEROES})


class ReferenceModel:
    def __init__(self, configuration: dict[str, object]) -> None:
        changes = {key: value for key, value in configuration.items() if key != "controller.cache"}
        cache = configuration["controller.cache"]
        changes |= {f"controller.cache.{key}": value for key, value in cache.items()}
        self.ssd = ns.Simulation(ns.load("bare", TINY | changes))
        self.units_are_pages = changes["controller.mapping.unit_bytes"] == 0
        self.sectors: dict[int, Sector] = {}
        self.capacity = self.ssd.capacity_bytes // SECTOR
        self.writes = 0
        # Whether the drive must keep all acknowledged writes in a power cut.
        self.protected = changes["controller.power_loss.protection"] == "capacitor" and (
            cache["policy"] == "none" or cache["backup"] == "capacitor"
        )
        self.caches_writes = cache["policy"] != "none"
        self.parted: set[int] = set()  # pages of which a part was written or trimmed
        self.losses = False  # whether an event has occurred that may lose data
        self.failures = 0
        # The outstanding commands: the command, its kind, its sectors, and its content. For reads, the last entry holds
        # the allowed contents of each sector.
        self.under_way: list[tuple[ns.Command, str, list[int], object]] = []

    def sector(self, lba: int) -> Sector:
        return self.sectors.setdefault(lba, Sector())

    def clip(self, extent: tuple[int, int]) -> tuple[int, int]:
        first, count = extent
        first %= self.capacity
        return first, min(count, self.capacity - first)

    def start(self, command: ns.Command, kind: str, lbas: list[int], value: object = None) -> None:
        self.under_way.append((command, kind, lbas, value))
        if len(self.under_way) >= 32:
            self.settle()

    def write(self, extent: tuple[int, int], fua: bool) -> None:
        first, count = self.clip(extent)
        self.writes += 1
        lbas = list(range(first, first + count))
        self.change(lbas, self.writes)
        data = b"".join(contents(self.writes, lba) for lba in lbas)
        kind = "forced" if fua else "write"
        self.start(self.ssd.start_write(first, data, fua=fua), kind, lbas, self.writes)

    def burst(self, page: int, count: int) -> None:
        for k in range(count):
            self.write(((page + k) * PAGE_SECTORS, PAGE_SECTORS), False)

    def trim(self, extent: tuple[int, int]) -> None:
        first, count = self.clip(extent)
        lbas = list(range(first, first + count))
        self.change(lbas, ZEROES)
        self.start(self.ssd.start_trim(first, count), "trim", lbas, ZEROES)

    def change(self, lbas: list[int], value: int) -> None:
        """Records an outstanding command that sets the sectors to this content. From now on, reads may return it."""
        for lba in lbas:
            self.sector(lba).coming.append(value)
        if lbas and (lbas[0] % PAGE_SECTORS or (lbas[-1] + 1) % PAGE_SECTORS):
            self.parted |= {lba // PAGE_SECTORS for lba in (lbas[0], lbas[-1])}
        for _, kind, read, shown in self.under_way:
            if kind == "read":
                for lba in set(read) & set(lbas):
                    shown[lba].add(value)

    def read(self, extent: tuple[int, int]) -> None:
        first, count = self.clip(extent)
        lbas = list(range(first, first + count))
        shown = {lba: self.sector(lba).allowed | set(self.sector(lba).coming) for lba in lbas}
        self.start(self.ssd.start_read(first, count * SECTOR), "read", lbas, shown)

    def flush(self) -> None:
        self.settle()
        flush = self.ssd.start_flush()
        self.ssd.wait_all()
        if flush.status == "ok":
            for sector in self.sectors.values():
                sector.durable = set(sector.allowed)

    def power_cut(self) -> None:
        self.ssd.power_cut()
        self.settle()
        self.ssd.power_on()
        if not self.protected:
            for sector in self.sectors.values():
                sector.allowed = set(sector.durable)
        if self.failures or self.losses:
            # If programs fail during the save, repeating them may take more time than the capacitor provides.
            for sector in self.sectors.values():
                sector.allowed |= sector.ever

    def shut_down(self) -> None:
        self.settle()
        if self.failures or self.losses:
            return  # after failures, the drive may not have enough room to shut down
        self.ssd.shut_down()
        self.ssd.power_on()
        for sector in self.sectors.values():
            sector.durable = set(sector.allowed)

    def read_only(self) -> bool:
        return self.failures > 0 and bool(self.ssd.stats()["controller"]["read_only"])

    def wait(self) -> None:
        self.settle()

    def reset(self) -> None:
        self.ssd.reset()
        self.settle()

    def fail(self, operation: str, die: int, count: int) -> None:
        self.failures += count
        self.ssd.fail_next(die, operation, count)

    def kill(self, die: int) -> None:
        self.losses = True
        self.ssd.kill_die(die)

    def advance(self, hours: float) -> None:
        self.settle()
        # Ideal cells lose no data with time, but the background work of the controller continues.
        self.ssd.advance(f"{hours:.3f}h")

    def settle(self) -> None:
        self.ssd.wait_all()
        commands, self.under_way = self.under_way, []
        changed: dict[int, set[int]] = {}
        for command, kind, lbas, value in commands:
            assert command.done
            if kind == "read":
                self.check(command, lbas, value)
            else:
                assert command.status in ("ok", "aborted", "power_lost") or self.losses or self.failures, command.status
                for lba in lbas:
                    # Commands that are outstanding at the same time complete in any order. A failed command may or may
                    # not have changed the data.
                    changed.setdefault(lba, set()).add(value)
                    if command.status != "ok":
                        changed[lba] |= self.sector(lba).allowed
        for lba, values in changed.items():
            sector = self.sector(lba)
            sector.allowed = values
            sector.coming = []
            sector.durable |= values
            sector.ever |= values
        for command, kind, lbas, _ in commands:
            if kind == "forced" and command.status == "ok":
                for lba in lbas:
                    sector = self.sector(lba)
                    sector.durable = set(sector.allowed)

    def check(self, command: ns.Command, lbas: list[int], shown: dict[int, set[int]]) -> None:
        if command.status in ("aborted", "power_lost"):
            return
        if command.status == "unrecovered_read_error":
            # If failures have made the device read-only, acknowledged writes that are still in the cache cannot be
            # written to flash.
            assert self.losses or (self.caches_writes and self.read_only()), "data were lost for no reason"
            return
        assert command.status == "ok"
        page = lbas[0] // PAGE_SECTORS
        one_unit = self.units_are_pages and len(lbas) == PAGE_SECTORS and lbas[0] % PAGE_SECTORS == 0
        if one_unit and page not in self.parted:
            held = {int.from_bytes(command.data[k : k + 8], "little") for k in range(0, len(command.data), SECTOR)}
            assert len(held) == 1, f"page {page} is mixed of the writes {sorted(held)}"
        for k, lba in enumerate(lbas):
            data = command.data[k * SECTOR : (k + 1) * SECTOR]
            assert any(data == contents(value, lba) for value in shown[lba]), (
                f"sector {lba} holds {data[:16].hex()}, allowed are the writes {sorted(shown[lba])}"
            )

    def verify(self) -> None:
        self.settle()
        for page in sorted({lba // PAGE_SECTORS for lba in self.sectors}):
            self.read((page * PAGE_SECTORS, PAGE_SECTORS))
        self.settle()


def contents(write: int, lba: int) -> bytes:
    """Returns the content that a write gives to a sector. It is different for each sector and each write."""
    if write == ZEROES:
        return bytes(SECTOR)
    return (write.to_bytes(8, "little") + lba.to_bytes(8, "little")) * (SECTOR // 16)


def follows_the_model(configuration: dict[str, object], steps: list[tuple[object, ...]]) -> None:
    model = ReferenceModel(configuration)
    for name, *arguments in steps:
        getattr(model, name)(*arguments)
    model.verify()


def thorough(examples: int) -> settings:
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


# Each burst of writes leaves more data in the cache than fit into the blocks that garbage collection leaves free.
POWER_CUTS_BEHIND_COLLECTION = {
    "controller.garbage_collection.policy": "random",
    "controller.streams.policy": "by_source",
    "controller.power_loss.protection": "capacitor",
    "controller.mapping.unit_bytes": 0,
    "controller.cache": {"policy": "write_back", "backup": "capacitor"},
}


@thorough(1_000)
@given(CONFIGURATIONS, st.lists(STEPS, max_size=30))
@example(POWER_CUTS_BEHIND_COLLECTION, [("burst", 0, 32), ("power_cut",)] * 2)
def test_the_device_follows_the_model(configuration, steps):
    follows_the_model(configuration, steps)


# The drive has four times as many blocks, since the mapping combines four blocks to a superblock.
OVER_LAYERS = {
    "controller.fullpages.allocation": "fpa",
    "controller.fullpages.wait_ms": 0.3,
    "controller.mapping.unit_bytes": 4096,
    "ecc.codec": "ldpc",
    "ecc.codeword_bytes": 4096,
    "ecc.decoder": "table",
    "nand.geometry.blocks_per_plane": 48,
    "nand.geometry.first_layer": "by_block",
}


@thorough(200)
@given(CONFIGURATIONS, st.sampled_from(["soml", "srs"]), st.lists(STEPS, max_size=30))
@example(
    POWER_CUTS_BEHIND_COLLECTION, "srs", [("burst", 0, 32)] * 3 + [("fail", "program", 0, 2), ("burst", 0, 32)] * 4
)
def test_the_device_follows_the_model_with_fullpages_over_layers(configuration, subpage_reads, steps):
    spread = OVER_LAYERS | {"controller.subpages.reads": subpage_reads}
    follows_the_model(configuration | spread, steps)


@pytest.mark.slow
@thorough(100_000)
@given(CONFIGURATIONS, st.lists(STEPS, max_size=60))
def test_the_device_follows_the_model_for_long(configuration, steps):
    follows_the_model(configuration, steps)
