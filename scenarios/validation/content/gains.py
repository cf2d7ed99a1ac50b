# SPDX-License-Identifier: Apache-2.0
"""The gains of one device in percent of the latencies, as in the paper's figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from content.device import FILES, PAGES, Assumptions, Device, Latency, States, mapping_by_share
from nandscape import content

SEGMENTS = (1, 2, 4, 8, 16, 32)  # Figure 12
FINE_STEPS_MV = tuple(np.arange(300, 681, 20.0))  # "a small step size v each time", section IV-B1


@dataclass(frozen=True)
class Gains:
    """Gains of writes or of reads. `by_page`: gains by type of page ("lsb", "msb", "both"). `used`: shares of the pages
    at the levels of Table II, or with the codes of Table III and two lighter ones; `mapped_used`: the same with state
    mapping. The rest are further gains over both pages: `optimal` with the exact CDBER, `mapped_by_share` with the rule
    of Figure 7, `mapped` with the best of the 24 mappings."""

    by_page: dict[str, float]
    used: NDArray[np.float64]
    mapped_used: NDArray[np.float64]
    optimal: float
    mapped_by_share: float
    mapped: float


def gains(device: Device) -> dict[str, Gains]:
    """The gains of "write" and of "read" over all pages of a device."""
    states, segments = device.states, device.segments()
    rule = mapping_by_share(states)

    def of(
        latency: Callable[..., Latency],
        traditional: Latency,
        used: Callable[[States], NDArray[np.float64]],
        counts: States,
        best: NDArray[np.uint8],
    ) -> Gains:
        plain, by_rule = latency(counts), content.map_counts(counts, rule)
        return Gains(
            by_page={page: plain.less_than(traditional, page) for page in (*PAGES, "both")},
            used=used(counts),
            mapped_used=used(by_rule),
            optimal=latency(counts, optimal=True).less_than(plain),
            mapped_by_share=latency(by_rule).less_than(plain),
            mapped=latency(content.map_counts(counts, best)).less_than(plain),
        )

    return {
        "write": of(device.write, device.traditional_write, device.levels, states, device.speeds.mapping(states)),
        "read": of(device.read, device.traditional_read, device.codes_used, segments, device.codes.mapping(segments)),
    }


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
    """Gains in percent under assumptions that are neither the paper's nor ours."""

    printed_table_1: dict[str, Gains]
    slower_bus: dict[str, Gains]  # 25 ns a byte, the default of the simulator that the paper extends
    alike_pages: dict[str, Gains]
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


def of_files(pages: int, seed: int) -> dict[str, dict[str, Gains]]:
    """The gains of each kind of file."""
    return {kind: gains(Device(pages, seed, files=(kind,))) for kind in FILES}
