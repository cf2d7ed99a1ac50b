# SPDX-License-Identifier: Apache-2.0
"""Checks of the compared drives: the orders that must follow from their kinds of cells, and published ratings and
speeds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from compared.drives import ENTERPRISE, QUARTER, Drive
from compared.life import Life
from compared.speed import BLOCKS_OF_PLANE
from comparison.published import Published
from comparison.rows import Row

PUBLISHED = Published(__file__)
CELLS_3D = ("slc_3d", "tlc_3d", "qlc_3d")
PLANAR = ("mlc_planar", "tlc_planar")
BY_BITS = ("slc_3d", "mlc_planar", "tlc_3d", "qlc_3d")
MIB = 1048576


def claims(lives: Mapping[str, Life]) -> list[Row]:
    """Returns all rows. The keys of `lives` are the names of the drives."""
    return [*_orders(lives), *_ratings(lives), *_speeds(lives), *_writing(lives)]


def _orders(lives: Mapping[str, Life]) -> list[Row]:
    def falling(key: str, names: Sequence[str], of: Callable[[Life], float]) -> Row:
        ours = [of(lives[name]) for name in names]
        return PUBLISHED.row(
            key,
            ours,
            within=all(more > less for more, less in pairwise(ours)),
            drives=", ".join(lives[name].drive.label for name in names),
            enterprise=ENTERPRISE.name,
        )

    def cycles(life: Life) -> float:
        return life.keeping.cycles(ENTERPRISE)

    # Drives whose cells do not wear in the model outlast all others, so they are left out of the order.
    worn = [name for name in BY_BITS if lives[name].keeping.wears]
    return [
        falling("endurance_3d", CELLS_3D, cycles),
        falling("endurance_planar", PLANAR, cycles),
        falling("endurance", worn, cycles),
        falling("reads_3d", CELLS_3D, lambda life: 1e6 / life.speed.read_us),
        falling("writes_3d", CELLS_3D, lambda life: life.speed.steady_write_iops),
        falling("writes_planar", PLANAR, lambda life: life.speed.write_mib_s),
    ]


def _ratings(lives: Mapping[str, Life]) -> list[Row]:
    def words(drive: Drive) -> dict[str, object]:
        return {"name": drive.name, "label": drive.label, "rated_by": drive.source, "storage": drive.storage.name}

    rows = []
    for name in ("mlc_planar", "tlc_3d", "qlc_3d"):
        drive = lives[name].drive
        rows.append(PUBLISHED.row("rating_{name}", lives[name].cycles, paper=drive.rated_cycles, **words(drive)))
    slc = lives["slc_3d"]
    cells = slc.drive.config["nand.cells"]
    # The expected number of cycles: after them, the drift of the programmed state closes the window between the two
    # states.
    window = _cycles_of_drift(cells, _margin_mv(cells), slc.keeping.months(slc.drive.storage))
    rows.append(
        PUBLISHED.row(
            "rating_slc_3d",
            slc.cycles,
            paper=slc.drive.rated_cycles,
            expected=window,
            reach=0.25 * window,
            **words(slc.drive),
        )
    )
    for name in ("mlc_planar", "tlc_planar", "tlc_3d", "qlc_3d"):
        drive = lives[name].drive
        months = lives[name].keeping.longest_months(drive.rated_cycles)
        limits = (12 * QUARTER.days / 365.25, None)
        rows.append(PUBLISHED.row("kept_{name}", months, limits=limits, rated=drive.rated_cycles, **words(drive)))
    return rows


def _margin_mv(cells: Mapping[str, dict[str, float]]) -> float:
    """Returns by how many mV the programmed state can drop before the code reaches its limit. This is the distance,
    without wear, between the upper edge of the erased state and the lower edge of the programmed state."""
    placement = cells["placement"]
    deviations = 3.3  # the code corrects the cells beyond this number of standard deviations
    tail_mv = math.hypot(placement["tail_mv"], cells["retention"]["tail_mv"])
    lower_edge = placement["verify_mv"][0] - deviations * tail_mv
    return lower_edge - (placement["erased_mean_mv"] + deviations * placement["erased_sigma_mv"])


def _cycles_of_drift(cells: Mapping[str, dict[str, float]], drift_mv: float, months: float) -> float:
    """Solves equations 12 and 13 of docs/cells.md for the number of cycles that cause the drift `drift_mv` in
    `months`.
    """
    r = cells["retention"]
    of_wear = drift_mv / math.log1p(months / r["time_constant_months"]) - r["shift_mv"]
    return 1000 * (of_wear / r["wear_shift_mv"]) ** (1 / r["wear_exponent"])


def _speeds(lives: Mapping[str, Life]) -> list[Row]:
    slc, tlc, planar = (lives[name].speed for name in ("slc_3d", "tlc_3d", "tlc_planar"))
    return PUBLISHED.rows(
        {
            "slc_read": slc.read_us,
            "slc_reads": slc.read_iops,
            "slc_writes": slc.write_mib_s * MIB * 1e-6,
            "tlc_3d_reads": 1e6 / tlc.read_us,
            "tlc_planar_writes": planar.write_mib_s * MIB * 1e-6,
            "lost": sum(life.speed.lost for life in lives.values()),
            "tlc_3d_aged": tlc.aged_read_us / tlc.read_us,
        },
        age=QUARTER.name.partition(" at ")[0],
    )


def _writing(lives: Mapping[str, Life]) -> list[Row]:
    return [
        PUBLISHED.row(
            "written_{name}",
            life.speed.write_amplification / _of_oldest_block(life),
            name=name,
            label=life.drive.label,
        )
        for name, life in lives.items()
    ]


def _of_oldest_block(life: Life) -> float:
    """Returns the write amplification of a drive that always collects the oldest block: 1/(1 - v). Here v = exp((v -
    1)/u) is the share of valid pages in that block, and u is the share of valid pages in all full blocks. All blocks of
    a plane are full except the free blocks that the collector keeps, two open blocks and the victim."""
    spare = life.drive.config["controller.mapping.over_provisioning"]
    not_full = life.drive.config["controller.garbage_collection.start_free_blocks"] + 3
    full = BLOCKS_OF_PLANE / (BLOCKS_OF_PLANE - not_full) / (1 + spare)
    left = 0.0
    for _ in range(5000):
        left = math.exp((left - 1) / full)
    return 1 / (1 - left)
