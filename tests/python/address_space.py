# SPDX-License-Identifier: Apache-2.0
"""Limits the address space for tests of inputs that might request too much memory."""

from __future__ import annotations

import os
import resource
from pathlib import Path


def limit_address_space(growth: int) -> None:
    """Lets the process map at most `growth` bytes more than it maps now, since a forked child inherits its parent's
    maps."""
    # The address sanitizer reserves terabytes of addresses and ends the process when a limit refuses them.
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + growth, resource.getrlimit(resource.RLIMIT_AS)[1]))
