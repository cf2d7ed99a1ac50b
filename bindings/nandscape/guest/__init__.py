# SPDX-License-Identifier: Apache-2.0
"""A Linux guest whose own NVMe driver uses a simulated drive, in simulated time."""

from nandscape.guest.machine import Guest, GuestError

__all__ = ["Guest", "GuestError"]
