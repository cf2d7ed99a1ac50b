# SPDX-License-Identifier: Apache-2.0
"""Writes traces in which every request has the size of one page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nandscape as ns

WRITTEN_AT_ONCE = 4096


def write_trace(path: Path, requests: Iterable[tuple[float, str, int]], page_bytes: int) -> None:
    """Writes a trace file. Each request consists of its time in µs, its operation and its page number."""
    with path.open("w", encoding="utf-8") as file:
        file.write("time_us,operation,offset_bytes,size_bytes\n")
        file.writelines(f"{us:.3f},{operation},{page * page_bytes},{page_bytes}\n" for us, operation, page in requests)


def writes_of(pages: Iterable[int], path: Path, page_bytes: int) -> dict[str, Any]:
    """Returns a workload that writes the pages in the given order, as fast as the drive accepts them. `path` is the
    trace file, which this function writes.
    """
    write_trace(path, ((0, "write", page) for page in pages), page_bytes)
    return ns.trace(path, pacing="closed", queue_depth=WRITTEN_AT_ONCE)
