# SPDX-License-Identifier: Apache-2.0
"""The limit of memory for tests of what might ask for too much."""

from __future__ import annotations

import os
import resource


def limit_address_space(size: int) -> None:
    # The address sanitizer reserves terabytes of addresses, and ends the process when it gets none.
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
