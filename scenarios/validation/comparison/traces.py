# SPDX-License-Identifier: Apache-2.0
"""Traces whose requests have the size of one page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nandscape as ns

WRITTEN_AT_ONCE = 4096


def write_trace(path: Path, requests: Iterable[tuple[float, str, int]], page_bytes: int) -> None:
    """Writes a trace. `requests`: time in µs, operation and page."""
    with path.open("w", encoding="utf-8") as file:
        file.write("time_us,operation,offset_bytes,size_bytes\n")
        file.writelines(f"{us:.3f},{operation},{page * page_bytes},{page_bytes}\n" for us, operation, page in requests)


def writes_of(pages: Iterable[int], path: Path, page_bytes: int) -> dict[str, Any]:
    """A workload that writes these pages in their order, as fast as the drive takes them. `path`: its trace file."""
    write_trace(path, ((0, "write", page) for page in pages), page_bytes)
    return ns.trace(path, pacing="closed", queue_depth=WRITTEN_AT_ONCE)
