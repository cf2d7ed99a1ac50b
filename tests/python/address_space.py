# SPDX-License-Identifier: Apache-2.0
"""Limits the address space for tests of inputs that might request too much memory."""

from __future__ import annotations

import os
import resource


def limit_address_space(size: int) -> None:
    # The address sanitizer reserves terabytes of addresses and ends the process when a limit refuses them.
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
