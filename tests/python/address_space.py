# SPDX-License-Identifier: Apache-2.0
"""Limits the address space of a process, for tests whose inputs might make it allocate too much memory."""

from __future__ import annotations

import os
import resource
from pathlib import Path


def limit_address_space(growth: int) -> None:
    """Limits the memory that the process can map to `growth` bytes more than it maps now. The limit is relative, since
    a forked child inherits the mappings of its parent."""
    # The address sanitizer reserves terabytes of address space, and ends the process if a limit does not allow this.
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + growth, resource.getrlimit(resource.RLIMIT_AS)[1]))
