# SPDX-License-Identifier: Apache-2.0
"""Labels of axes: the names of keys and statistics in words. A unit at the end of a name is printed in brackets."""

from __future__ import annotations

# The endings of names, and the units printed for them. The first ending that fits is used, so an ending precedes any
# shorter ending that it contains.
UNITS = {
    "mib_s": "MiB/s",
    "mb_s": "MB/s",
    "mt_s": "MT/s",
    "per_s": "1/s",
    "percent": "%",
    "bytes": "bytes",
    "days": "days",
    "months": "months",
    "hours": "hours",
    "bits": "bits",
    "us": "µs",
    "ms": "ms",
    "mv": "mV",
    "c": "°C",
    "j": "J",
    "s": "s",
}
WORDS = {
    "p50": "p50",
    "p90": "p90",
    "p99": "p99",
    "p999": "p99.9",
    "p9999": "p99.99",
    "iops": "IOPS",
    "pe_cycles": "P/E cycles",
}
# Last parts of keys that mean nothing without the part before them.
INCOMPLETE = ("count", "kind", "policy")


def label_of(name: str) -> str:
    """Returns a dotted name in words: `host.read.latency_us.p99` becomes "host read latency p99 (µs)"."""
    words, unit = [], ""
    for part in name.split("."):
        stem, found = _split(part)
        words.append(WORDS.get(stem, stem.replace("_", " ")))
        unit = found or unit
    return " ".join(words) + (f" ({unit})" if unit else "")


def short(name: str) -> str:
    """Returns the last part of a key in words, with its unit: `host.workload.queue_depth` becomes "queue depth", and
    `nand.timing.t_prog_us` becomes "t_prog (µs)". A part that says nothing by itself follows the one before it:
    `channel.count` becomes "channel count"."""
    group, _, last = name.rpartition(".")
    stem, unit = _split(last)
    words = stem if stem.startswith("t_") else WORDS.get(stem, stem.replace("_", " "))
    if last in INCOMPLETE:
        words = f"{group.rpartition('.')[2].replace('_', ' ')} {words}"
    return words + (f" ({unit})" if unit else "")


def value_of(name: str, value: str) -> str:
    """Returns a key in words with its value: "queue depth 8", or "t_prog 500 µs"."""
    words, _, unit = short(name).partition(" (")
    return f"{words} {value} {unit.removesuffix(')')}".rstrip()


def _split(part: str) -> tuple[str, str]:
    for suffix, unit in UNITS.items():
        if part.endswith(f"_{suffix}"):
            return part.removesuffix(f"_{suffix}"), unit
    return part, ""
