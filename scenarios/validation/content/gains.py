# SPDX-License-Identifier: Apache-2.0
"""Calculates the gains for the pages of one device, in percent of the latency, as shown in the figures of Sha et al."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from content.device import FILES, PAGES, Assumptions, Device, Latency, States, mapping_by_share
from nandscape import content

SEGMENTS = (1, 2, 4, 8, 16, 32)  # Figure 12
FINE_STEPS_MV = tuple(np.arange(300, 681, 20.0))  # the paper calls for "a small step size v each time" (section IV-B1)


@dataclass(frozen=True)
class Gains:
    """The gains of writes or of reads. `by_page` holds the gain by type of page ("lsb", "msb" or "both"). `used` holds
    the shares of the pages that use each level of Table II or, for reads, each code of Table III and two lighter codes.
    `mapped_used` holds the same shares with state mapping. The last three fields are additional gains over both types
    of pages: `optimal` with the exact CDBER, `mapped_by_share` with the mapping rule of Figure 7, and `mapped` with the
    best of the 24 mappings."""

    by_page: dict[str, float]
    used: NDArray[np.float64]
    mapped_used: NDArray[np.float64]
    optimal: float
    mapped_by_share: float
    mapped: float


def gains(device: Device) -> dict[str, Gains]:
    """Returns the gains for all pages of a device, under the keys "write" and "read"."""
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
    """The data of Figure 12 for 1 to 32 counted segments: the gains of reads, with the shape (6,), and the share of the
    pages that use each code, with the shape (6, 6).
    """

    gain: NDArray[np.float64]
    codes: NDArray[np.float64]


def by_segments(device: Device) -> BySegments:
    of_pages = [device.segments(number) for number in SEGMENTS]
    gain = [device.read(segments).less_than(device.traditional_read) for segments in of_pages]
    return BySegments(np.array(gain), np.array([device.codes_used(segments) for segments in of_pages]))


@dataclass(frozen=True)
class Experiments:
    """Gains in percent under assumptions other than those of the paper and of our main results."""

    printed_table_1: dict[str, Gains]
    slower_bus: dict[str, Gains]  # at 25 ns per byte, the default of the simulator that the paper extends
    alike_pages: dict[str, Gains]
    fine_steps: float  # additional gain of the exact CDBER with ISPP steps in increments of 20 mV
    own_segments: float  # additional gain if each code must correct only its own segments


ALIKE = Assumptions(of_pages=0.03, of_segments=0.02)


def experiments(pages: int, seed: int) -> Experiments:
    """Runs the experiments on devices with `pages` pages."""
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
    """Returns the gains of each kind of file."""
    return {kind: gains(Device(pages, seed, files=(kind,))) for kind in FILES}
