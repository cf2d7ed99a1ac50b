# SPDX-License-Identifier: Apache-2.0
"""Compares the retention that the data of a trace require with a simple model that tracks every sector."""

from __future__ import annotations

import gzip
import lzma
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import nandscape as ns
from nandscape import data

HEADER = "time_ms,operation,lba,sectors"
MARKS_MS = {"1s": 10**3, "1min": 6 * 10**4, "1h": 36 * 10**5, "1d": 864 * 10**5, "1w": 6048 * 10**5}
SKIPS_MS = [0, 1, 1000, 3_600_000]

Record = tuple[int, str, int, int]  # ms, operation, first sector, sectors

# There are only a few sectors, so that writes overlap. Many times are close to the marks of the result, in any order.
records = st.lists(
    st.tuples(
        st.sampled_from([0, 1, 999, 1000, 1001, 60_000, 3_600_001, 90_000_000, 700_000_000]) | st.integers(0, 10**9),
        st.sampled_from(["write", "write", "write", "read", "trim", "flush"]),
        st.integers(0, 40),
        st.integers(1, 30),
    ),
    min_size=1,
    max_size=40,
)


@dataclass
class Naive:
    """The simple model, which tracks every sector."""

    written: int = 0
    last: dict[int, int] = field(default_factory=dict)
    required_ms: list[int] = field(default_factory=list)
    highest: int = 0
    latest_ms: int = 0

    def add(self, ms: int, operation: str, first: int, sectors: int) -> None:
        if operation == "flush":
            return
        self.highest = max(self.highest, first + sectors)
        if operation != "write":
            return
        for sector in range(first, first + sectors):
            if sector in self.last:
                self.required_ms.append(ms - self.last[sector])
            self.last[sector] = ms
            self.written += 1


def naive(trace: list[Record], skip_ms: int) -> Naive:
    model = Naive()
    for ms, operation, first, sectors in trace:
        since_first = max(ms - trace[0][0], model.latest_ms, 0)
        model.latest_ms = since_first
        kept = operation if since_first >= skip_ms or operation == "flush" else "read"
        model.add(since_first, kept, first, sectors)
    return model


def written_to(path: Path, trace: list[Record]) -> Path:
    lines = [f"{ms},{operation},{first},{sectors}" for ms, operation, first, sectors in trace]
    path.write_text("\n".join([HEADER, *lines]) + "\n")
    return path


@settings(deadline=None)
@given(trace=records, skip_ms=st.sampled_from(SKIPS_MS))
@example(trace=[(0, "write", 0, 10), (1000, "write", 5, 10), (1001, "write", 0, 30)], skip_ms=0)
@example(trace=[(0, "write", 0, 30), (999, "write", 10, 5), (1999, "write", 12, 1)], skip_ms=0)
def test_extents_say_what_sectors_say(trace, skip_ms):
    model = naive(trace, skip_ms)
    with TemporaryDirectory() as folder:
        path = written_to(Path(folder) / "trace.csv", trace)
        if model.written == 0:
            with pytest.raises(ns.InputError, match="writes nothing"):
                ns.retention_requirements(path, skip=f"{skip_ms}ms")
            return
        found = ns.retention_requirements(path, skip=f"{skip_ms}ms")
    assert found.written_bytes == 512 * model.written
    assert found.distinct_bytes == 512 * len(model.last)
    assert found.capacity_bytes == 512 * model.highest
    assert found.span_s == pytest.approx(max(model.latest_ms - skip_ms, 0) / 1000)
    for mark, limit_ms in MARKS_MS.items():
        within = sum(required <= limit_ms for required in model.required_ms)
        assert found.share_within[mark] == pytest.approx(within / model.written), mark
    assert found.share_unknown == pytest.approx(1 - len(model.required_ms) / model.written)
    assert found.share_overwritten == pytest.approx(len(model.required_ms) / model.written)
    # A bin contains the values above its lower edge.
    expected = np.searchsorted(np.round(1e9 * found.edges_s), 1e6 * np.asarray(model.required_ms, dtype=float))
    assert found.bins.tolist() == np.bincount(expected.astype(int), minlength=found.bins.size).tolist()
    assert found.extents <= len(model.last)


@settings(deadline=None, max_examples=40)
@given(trace=records, copies=st.integers(2, 4))
def test_what_is_projected_is_no_more_than_what_comes(trace, copies):
    """Checks equation 15: if a trace is repeated, at least the share of writes projected from its first span is
    overwritten.
    """
    trace = [(ms, "write" if operation == "write" else "read", *where) for ms, operation, *where in sorted(trace)]
    if not any(operation == "write" for _, operation, *_ in trace):
        return
    span = trace[-1][0] + 1
    repeated = [(ms + k * span, *rest) for k in range(copies) for ms, *rest in trace]
    with TemporaryDirectory() as folder:
        once = ns.retention_requirements(written_to(Path(folder) / "once.csv", trace))
        often = ns.retention_requirements(written_to(Path(folder) / "often.csv", repeated))
    assert often.written_bytes == copies * once.written_bytes
    assert often.share_overwritten >= once.least_share(copies) - 1e-12


@pytest.mark.parametrize("pack", [None, gzip.compress, lzma.compress])
def test_traces_may_be_compressed(tmp_path, pack):
    text = f"{HEADER}\n0,write,0,8\n2000,write,4,8\n"
    path = tmp_path / "trace"
    path.write_bytes(pack(text.encode()) if pack else text.encode())
    found = ns.retention_requirements(path)
    assert (found.writes, found.written_bytes, found.distinct_bytes) == (2, 16 * 512, 12 * 512)
    assert found.share_within == {"1s": 0, "1min": 0.25, "1h": 0.25, "1d": 0.25, "1w": 0.25}


def test_formats_and_devices(tmp_path):
    """The trace lasts for a week and has Windows timestamps in units of 100 ns."""
    week = 7 * 86400 * 10**7
    lines = [
        "128166372003061629,web,0,Write,0,4096,100",
        "128166372003061630,web,1,Write,0,4096,100",
        f"{128166372003061629 + week},web,0,Write,2048,4096,100",
    ]
    path = tmp_path / "web.csv"
    path.write_text("\n".join(lines) + "\n")
    zero = ns.retention_requirements(ns.trace(path, format="msr", device="0"))
    everything = ns.retention_requirements(path)
    assert zero.span_s == pytest.approx(7 * 86400)
    assert zero.writes == 2
    assert zero.share_within["1d"] == 0
    assert zero.share_within["1w"] == 0.25
    assert everything.writes == 3
    with pytest.raises(ns.InputError, match=r"none is of device .7."):
        ns.retention_requirements(ns.trace(path, format="msr", device="7"))


def test_the_bundled_trace():
    found = ns.retention_requirements(data.bundled_trace())
    assert found.writes == 34_895
    assert found.written_bytes == pytest.approx(452.3e6, rel=1e-3)
    assert found.distinct_bytes == pytest.approx(329.9e6, rel=1e-3)
    assert found.capacity_bytes == 1_122_377_728
    assert found.span_s == pytest.approx(71.784, abs=1e-3)
    # The memory needed depends on the number of extents and not on the number of sectors.
    assert found.extents < found.distinct_bytes / 512 / 10
    assert found.cumulative[-1] == pytest.approx(found.share_overwritten)
    # The database of this trace rewrites the last page of its log many times.
    assert found.share_within["1s"] > 0.1
    assert repr(found).startswith("RetentionRequirements(writes=34895")


def test_a_skipped_beginning_is_not_in_the_span():
    whole, later = (ns.retention_requirements(data.bundled_trace(), skip=skip) for skip in ("0s", "50s"))
    assert later.span_s == pytest.approx(whole.span_s - 50)
    assert later.writes < whole.writes
    assert later.capacity_bytes == whole.capacity_bytes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEADER}\n0,write,0,8\n1,write,zero,8\n", r"trace\.csv:3.*'zero'"),
        (f"{HEADER}\n0,write,0,8\n1,read,99,8\n", r"trace\.csv:3.*past the capacity of 100 sectors"),
        ("operation,lba,sectors\nwrite,0,8\n", "no times"),
        (f"{HEADER}\n0,read,0,8\n", "writes nothing"),
        (f"{HEADER}\n", "no usable record"),
    ],
)
def test_errors_say_where(tmp_path, text, message):
    path = tmp_path / "trace.csv"
    path.write_text(text)
    with pytest.raises(ns.InputError, match=message):
        ns.retention_requirements(path, capacity_bytes=51200)


def test_other_refusals(tmp_path):
    path = tmp_path / "trace.csv"
    path.write_text(f"{HEADER}\n0,write,0,8\n")
    with pytest.raises(ns.ConfigError, match="format"):
        ns.retention_requirements(ns.trace(path, format="of its own"))
    with pytest.raises(ns.ConfigError, match="speed"):
        ns.retention_requirements(ns.trace(path, speed=2))
    with pytest.raises(ValueError, match="not a time"):
        ns.retention_requirements(path, skip="7")
    with pytest.raises(ValueError, match="one sector"):
        ns.retention_requirements(path, capacity_bytes=100)
    with pytest.raises(ns.Error):
        ns.retention_requirements(tmp_path / "missing.csv")
    alone = ns.retention_requirements(path)
    assert alone.span_s == 0
    with pytest.raises(ValueError, match="span_s must be above 0"):
        alone.reprogramming_bytes_per_s()
