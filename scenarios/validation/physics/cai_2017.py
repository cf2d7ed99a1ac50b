# SPDX-License-Identifier: Apache-2.0
"""Compares the cell model with Cai 2017: the threshold voltages of planar TLC during a year of retention."""

from __future__ import annotations

import numpy as np

import nandscape as ns
from comparison.published import Published
from comparison.rows import Row

PUBLISHED = Published(__file__)
CELLS = {"nand.cells.set": "tlc_planar_cai", "nand.coding": "tlc_124"}
CYCLES = 2000
UNIT_MV = 10  # assumed; the paper normalises its voltages without naming the unit
DAY = 12 / 365.25  # months
# Table 5: means and standard deviations of the threshold voltages of the states ER and P1 to P7, by months since
# programming.
MEANS = {
    DAY: [-92.7, 66.6, 128.1, 191.9, 254.9, 318.3, 384.3, 448.1],
    7 * DAY: [-86.7, 67.5, 128.1, 191.4, 253.8, 316.5, 381.8, 444.9],
    1: [-84.4, 68.6, 128.7, 191.6, 253.5, 315.8, 380.9, 443.6],
    3: [-75.6, 72.8, 131.6, 193.3, 254.3, 315.7, 380.2, 442.2],
    12: [-69.4, 76.6, 134.2, 195.2, 255.3, 316.0, 379.6, 440.8],
}
DEVIATIONS = {
    DAY: [48.2, 9.7, 9.7, 9.4, 9.3, 9.1, 9.5, 9.1],
    7 * DAY: [46.4, 10.7, 10.8, 10.5, 10.6, 10.3, 10.6, 10.6],
    1: [46.8, 11.3, 11.2, 11.0, 10.9, 10.8, 11.2, 11.1],
    3: [45.9, 12.0, 11.8, 11.5, 11.4, 11.4, 11.7, 11.7],
    12: [45.9, 12.8, 12.4, 12.0, 12.0, 11.9, 12.3, 12.4],
}
# The states whose means clearly move. The mean of P4 falls by only 1.4 and is, after a year, 0.4 above its first value.
MOVING = [0, 1, 2, 3, 5, 6, 7]


def _moments(cells: ns.Cells, state: int, months: float) -> tuple[float, float]:
    """Returns the mean and the standard deviation of a state's threshold voltage, in units of UNIT_MV."""
    edges = np.arange(-4000.0, 8000.0, 4.0)
    share = np.diff(cells.vth_below(state, edges, CYCLES, months))
    middle = edges[:-1] + 2
    mean = float(share @ middle)
    return mean / UNIT_MV, float(np.sqrt(share @ (middle - mean) ** 2)) / UNIT_MV


def _voltages() -> list[Row]:
    cells = ns.Cells("bare", CELLS)
    ours = np.array([[_moments(cells, state, months) for state in range(8)] for months in MEANS])
    means_off = np.abs(ours[:, :, 0] - np.array(list(MEANS.values())))
    deviations_off = np.abs(ours[:, :, 1] - np.array(list(DEVIATIONS.values())))
    programmed, erased = slice(1, None), slice(0, 1)
    rows = []
    for name, words, off, most, rms in (
        ("means", "means of P1 to P7", means_off[:, programmed], 1, 0.5),
        ("deviations", "standard deviations of P1 to P7", deviations_off[:, programmed], 1, 0.5),
        ("erased_means", "means of ER", means_off[:, erased], 3, 2),
        ("erased_deviations", "standard deviations of ER", deviations_off[:, erased], 1, 0.75),
    ):
        tenth = "a tenth of a state's deviation, rms half of that"
        more = {"name": name, "words": words, "limit": "a twentieth of its deviation" if "erased" in name else tenth}
        for kind, figure, limit in (("most", off.max(), most), ("rms", np.sqrt((off**2).mean()), rms)):
            rows.append(PUBLISHED.row("{name}_{kind}", float(figure), limits=(None, limit), kind=kind, **more))
    drift = ours[-1, MOVING, 0] - ours[0, MOVING, 0]
    return [*rows, PUBLISHED.row("signs", [["down", "up"][int(change > 0)] for change in drift])]


STUDIES = {"voltages": _voltages}
