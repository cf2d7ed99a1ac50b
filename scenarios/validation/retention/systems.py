# SPDX-License-Identifier: Apache-2.0
"""The systems that are compared, as keys of the drive's configuration. Nothing else knows how they are told to it.

Of the two ECC architectures, the concatenated one sends all pages that are programmed through one LDPC encoder, a FIFO
of some throughput in which a page is as long as its bytes take. The relaxed one encodes pages of the host in BCH alone,
in no time, and in LDPC those that are written again or collected, beside the host's pages: a code of its own for what
the drive writes in the background.
"""

from __future__ import annotations

from typing import Any

from retention.published import PAGE_BYTES, PROGRAM_US, SPEEDUPS

BASELINE = "Baseline"
RELAXED = {weeks: f"RR-{weeks}week" for weeks in SPEEDUPS}
GUARANTEE_OF = {name: weeks for weeks, name in RELAXED.items()}
WRITE_SYSTEMS = (BASELINE, *RELAXED.values())
UNLIMITED = float("inf")
CONCATENATED, BY_SOURCE = "concatenated", "RR-2week"
ARCHITECTURES = (CONCATENATED, BY_SOURCE)


def program_us(system: str) -> float:
    """tPROG of the host's pages: the speedups are the ratios of the ISPP steps (section 3.2.1)."""
    return PROGRAM_US if system == BASELINE else PROGRAM_US / SPEEDUPS[GUARANTEE_OF[system]]


def write_mode(system: str) -> dict[str, Any]:
    """The host's pages are programmed with a larger step, others are not. What outlives its period is written again."""
    modes = {BASELINE: "normal"} | {name: f"rr_{weeks}week" for weeks, name in RELAXED.items()}
    return {"controller.write_mode": modes[system]}


def ldpc_encoder(architecture: str, mb_per_s: float) -> dict[str, Any]:
    """The one LDPC encoder of an architecture, of so many 1e6 bytes per second."""
    if mb_per_s == UNLIMITED:
        return {}
    times = {"encode_mb_s": mb_per_s, "t_encode_us": PAGE_BYTES / mb_per_s}
    if architecture == CONCATENATED:
        return {"ecc.engines": "shared_encoder", **{f"ecc.{key}": value for key, value in times.items()}}
    background = {"t_decode_us": 0, **times}
    return {"ecc.selection": "by_source", **{f"ecc.background.{key}": value for key, value in background.items()}}
