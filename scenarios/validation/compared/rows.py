# SPDX-License-Identifier: Apache-2.0
"""What is claimed of the drives: orders that cells set, and published ratings and speeds beside ours."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from physics.rows import Deviation, Row, at_least, at_most, exactly, limited, near

from compared.drives import ENTERPRISE, QUARTER
from compared.life import Life
from compared.speed import BLOCKS_OF_PLANE

CELLS_3D = ("slc_3d", "tlc_3d", "qlc_3d")
PLANAR = ("mlc_planar", "tlc_planar")
BY_BITS = ("slc_3d", "mlc_planar", "tlc_3d", "qlc_3d")
MIB = 1048576


def claims(lives: Mapping[str, Life]) -> list[Row]:
    """By the names of the drives."""
    return [*_orders(lives), *_ratings(lives), *_speeds(lives), *_writing(lives)]


def _falling(
    name: str, figure: str, lives: Mapping[str, Life], names: Sequence[str], of: Callable[[Life], float], unit: str
) -> Row:
    """Figures of which each is smaller than the one before."""
    ours = [of(lives[each]) for each in names]
    labels = ", ".join(lives[each].drive.label for each in names)
    within = all(more > less for more, less in pairwise(ours))
    paper = "less with each bit"
    return Row(f"drives.{name}", f"{figure}: {labels}", ours, paper, unit, "falling", within, "ours")


def _orders(lives: Mapping[str, Life]) -> list[Row]:
    def cycles(life: Life) -> float:
        return life.keeping.cycles(ENTERPRISE)

    keep = f"cycles until the code cannot keep data for {ENTERPRISE.name}"
    # Cells of a set without wear outlast all others, whatever their bits.
    worn = [name for name in BY_BITS if lives[name].keeping.wears]
    return [
        _falling("endurance_3d", keep, lives, CELLS_3D, cycles, "cycles"),
        _falling("endurance_planar", keep, lives, PLANAR, cycles, "cycles"),
        _falling("endurance", f"{keep}, of cells that wear", lives, worn, cycles, "cycles"),
        _falling(
            "reads_3d", "random reads, one at a time", lives, CELLS_3D, lambda life: 1e6 / life.speed.read_us, "1/s"
        ),
        _falling("writes_3d", "random writes in the long run", lives, CELLS_3D, _steady, "1/s"),
        _falling("writes_planar", "sequential writes", lives, PLANAR, lambda life: life.speed.write_mib_s, "MiB/s"),
    ]


def _steady(life: Life) -> float:
    return life.speed.steady_write_iops


def _ratings(lives: Mapping[str, Life]) -> list[Row]:
    rows = []
    for name in ("mlc_planar", "tlc_3d", "qlc_3d"):
        drive = lives[name].drive
        figure = f"{drive.label}: cycles after which data are kept for {drive.storage.name}"
        rows.append(
            at_least(f"drives.rating_{name}", figure, lives[name].cycles, drive.rated_cycles, drive.source, "cycles")
        )
    slc = lives["slc_3d"]
    rows.append(
        near(
            "drives.rating_slc_3d",
            f"3D SLC: cycles after which data are kept for {slc.drive.storage.name}",
            slc.cycles,
            slc.drive.rated_cycles,
            slc.drive.source,
            unit="cycles",
            relative=0.25,
            exception=_window_of_slc(slc),
        )
    )
    for name in ("mlc_planar", "tlc_planar", "tlc_3d", "qlc_3d"):
        drive = lives[name].drive
        months = lives[name].keeping.longest_months(drive.rated_cycles)
        figure = f"{drive.label}: kept at 30 °C after the rated {drive.rated_cycles} cycles"
        rows.append(
            limited(
                f"drives.kept_{name}",
                figure,
                months,
                "data are kept",
                (12 * QUARTER.days / 365.25, None),
                "a drive that is left without power for a season still has them",
                drive.source,
                unit="months",
            )
        )
    return rows


def _window_of_slc(slc: Life) -> Deviation:
    """Cycles at which the programmed state has drifted so near to the erased one that no level between them does."""
    cells = slc.drive.config["nand.cells"]
    cycles = _cycles_of_drift(cells, _margin_mv(cells, slc), slc.keeping.months(slc.drive.storage))
    return Deviation(
        "the drift of slc_3d is that of tlc_3d_48, which is fitted up to 2000 cycles and goes on growing with them",
        cycles,
        0.25 * cycles,
        "the cycles at which that drift takes the window between both states, at the errors that the code bears",
    )


def _margin_mv(cells: Mapping[str, dict[str, float]], slc: Life) -> float:
    """By how much the programmed state may sink, from the edges of both states at the code's limit, unworn."""
    placement = cells["placement"]
    deviations = 3.3  # of a normal distribution, beyond which lies the share of cells that the code bears
    lower_edge = placement["verify_mv"][0] - deviations * math.hypot(
        placement["tail_mv"], cells["retention"]["tail_mv"]
    )
    return lower_edge - (placement["erased_mean_mv"] + deviations * placement["erased_sigma_mv"])


def _cycles_of_drift(cells: Mapping[str, dict[str, float]], drift_mv: float, months: float) -> float:
    """Equations 12 and 13 of docs/cells.md, turned round."""
    r = cells["retention"]
    of_wear = drift_mv / math.log1p(months / r["time_constant_months"]) - r["shift_mv"]
    return 1000 * (of_wear / r["wear_shift_mv"]) ** (1 / r["wear_exponent"])


def _speeds(lives: Mapping[str, Life]) -> list[Row]:
    slc, tlc, planar = (lives[name].speed for name in ("slc_3d", "tlc_3d", "tlc_planar"))
    no_host = "neither firmware nor the host's software take time here"
    sz985 = "SZ985"
    return [
        at_most("drives.slc_read", "3D SLC: random read, one at a time", slc.read_us, 20, f"{sz985}: 12 to 20", "µs"),
        near(
            "drives.slc_reads",
            "3D SLC: random reads",
            slc.read_iops,
            750_000,
            sz985,
            unit="1/s",
            relative=0.2,
            reason=no_host,
        ),
        near(
            "drives.slc_writes",
            "3D SLC: sequential writes",
            slc.write_mib_s * MIB * 1e-6,
            3200,
            sz985,
            unit="MB/s",
            relative=0.2,
            reason=f"the link's limit; {no_host}",
        ),
        near(
            "drives.tlc_3d_reads",
            "3D TLC: random reads, one at a time",
            1e6 / tlc.read_us,
            10_000,
            "Samsung 850 EVO",
            unit="1/s",
            relative=0.2,
            reason="dies of the next generation, and another link",
        ),
        limited(
            "drives.tlc_planar_writes",
            "planar TLC: sequential writes",
            planar.write_mib_s * MIB * 1e-6,
            250,
            (225, 300),
            "the time of a program was taken from it, and the last pages stay in the cache",
            "Samsung 840 specification",
            unit="MB/s",
            by_construction="tPROG is the published speed over the planes",
        ),
        exactly(
            "drives.lost",
            f"reads that fail of data written {QUARTER.name.partition(' at ')[0]} ago on worn drives",
            sum(life.speed.lost for life in lives.values()),
            0,
            "the closed forms have all of them correctable",
        ),
        limited(
            "drives.tlc_3d_aged",
            "3D TLC: random reads of worn cells and old data, over fresh ones",
            tlc.aged_read_us / tlc.read_us,
            "slower",
            (1.5, None),
            "a page takes another read or more",
            "Park 2021",
        ),
    ]


def _writing(lives: Mapping[str, Life]) -> list[Row]:
    return [
        limited(
            f"drives.written_{name}",
            f"{life.drive.label}: write amplification of random writes, over that of collecting the oldest block",
            life.speed.write_amplification / _of_oldest_block(life),
            "at most 1",
            (0.6, 1.2),
            "greedy collection is better, most where flash is scarce; but some pages go out before they are full",
            "Desnoyers 2012",
        )
        for name, life in lives.items()
    ]


def _of_oldest_block(life: Life) -> float:
    """Write amplification 1/(1 - v), v = exp((v - 1)/u). Of a plane those blocks are not full that collection keeps
    free, two that are written, and the victim."""
    spare = life.drive.config["controller.mapping.over_provisioning"]
    not_full = life.drive.config["controller.garbage_collection.start_free_blocks"] + 3
    full = BLOCKS_OF_PLANE / (BLOCKS_OF_PLANE - not_full) / (1 + spare)
    left = 0.0
    for _ in range(5000):
        left = math.exp((left - 1) / full)
    return 1 / (1 - left)
