# SPDX-License-Identifier: Apache-2.0
"""The gains of one device in percent of the latencies, as in the paper's figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from content.device import FILES, Assumptions, Device, States, mapping_by_share
from nandscape import content

SEGMENTS = (1, 2, 4, 8, 16, 32)  # Figure 12
FINE_STEPS_MV = tuple(np.arange(300, 681, 20.0))  # "a small step size v each time", section IV-B1


@dataclass(frozen=True)
class Gains:
    """`write`, `read`: gains by pages ("lsb", "msb", "both"). `levels`, `codes`: shares of the pages at the levels of
    Table II, and with the codes of Table III and two lighter ones; `mapped_levels`, `mapped_codes`: the same with state
    mapping. The rest are further gains over both pages: `optimal` with the exact CDBER, `mapped_by_share` with the rule
    of Figure 7, `mapped` with the best of the 24 mappings."""

    write: dict[str, float]
    read: dict[str, float]
    levels: NDArray[np.float64]
    codes: NDArray[np.float64]
    mapped_levels: NDArray[np.float64]
    mapped_codes: NDArray[np.float64]
    optimal: dict[str, float]
    mapped_by_share: dict[str, float]
    mapped: dict[str, float]


def gains(device: Device) -> Gains:
    """The gains over all pages of a device."""
    states, segments = device.states, device.segments()
    write, read = device.write(states), device.read(segments)
    by_share = mapping_by_share(states)
    mapped_states = content.map_counts(states, by_share)
    mapped_segments = content.map_counts(segments, by_share)
    pages = ("lsb", "msb", "both")

    def further(states: States, segments: States, *, optimal: bool = False) -> dict[str, float]:
        return {
            "write": device.write(states, optimal=optimal).less_than(write),
            "read": device.read(segments, optimal=optimal).less_than(read),
        }

    return Gains(
        write={page: write.less_than(device.traditional_write, page) for page in pages},
        read={page: read.less_than(device.traditional_read, page) for page in pages},
        levels=device.levels(states),
        codes=device.codes_used(segments),
        mapped_levels=device.levels(mapped_states),
        mapped_codes=device.codes_used(mapped_segments),
        optimal=further(states, segments, optimal=True),
        mapped_by_share=further(mapped_states, mapped_segments),
        mapped=further(
            content.map_counts(states, device.speeds.mapping(states)),
            content.map_counts(segments, device.codes.mapping(segments)),
        ),
    )


class BySegments(NamedTuple):
    """Figure 12, by 1 to 32 counted segments: gains of reads, shape (6,), and shares of the pages by code, (6, 6)."""

    gain: NDArray[np.float64]
    codes: NDArray[np.float64]


def by_segments(device: Device) -> BySegments:
    of_pages = [device.segments(number) for number in SEGMENTS]
    gain = [device.read(segments).less_than(device.traditional_read) for segments in of_pages]
    return BySegments(np.array(gain), np.array([device.codes_used(segments) for segments in of_pages]))


@dataclass(frozen=True)
class Experiments:
    """Gains in percent with other assumptions than the paper's or ours."""

    printed_table_1: Gains
    slower_bus: Gains  # 25 ns a byte, the default of the simulator that the paper extends
    alike_pages: Gains
    fine_steps: float  # further gain of the exact CDBER with steps of 20 mV
    own_segments: float  # further gain of codes that are chosen by their own segments


ALIKE = Assumptions(of_pages=0.03, of_segments=0.02)


def experiments(pages: int, seed: int) -> Experiments:
    """The experiments on devices of `pages` pages."""
    device = Device(pages, seed)
    states, segments = device.states, device.segments()
    fine = device.write(states, content.write_speeds(steps_mv=FINE_STEPS_MV), optimal=True)
    own = device.read(segments, content.segment_codes(own_segments=True))
    return Experiments(
        printed_table_1=gains(Device(pages, seed, Assumptions(exchanged=False))),
        slower_bus=gains(Device(pages, seed, Assumptions(byte_ns=25))),
        alike_pages=gains(Device(pages, seed, ALIKE)),
        fine_steps=fine.less_than(device.write(states)),
        own_segments=own.less_than(device.read(segments)),
    )


def of_files(pages: int, seed: int) -> dict[str, Gains]:
    """The gains of each kind of file."""
    return {kind: gains(Device(pages, seed, files=(kind,))) for kind in FILES}
