# SPDX-License-Identifier: Apache-2.0
"""The guest's initial RAM disk: busybox, and the script init.sh as the first process."""

from __future__ import annotations

import stat
from pathlib import Path

FOLDERS = ("bin", "dev", "proc", "sys", "host", "over", "root")
INIT = Path(__file__).with_name("init.sh")


def archive(busybox: bytes) -> bytes:
    """Returns the RAM disk as a cpio archive in the format "newc" (Linux, driver-api/early-userspace/buffer-format)."""
    members = [_member(number, name, stat.S_IFDIR | 0o755) for number, name in enumerate(FOLDERS, 1)]
    members.append(_member(100, "bin/busybox", stat.S_IFREG | 0o755, busybox))
    members.append(_member(101, "init", stat.S_IFREG | 0o755, INIT.read_bytes()))
    members.append(_member(102, "dev/console", stat.S_IFCHR | 0o600, device=(5, 1)))
    members.append(_member(0, "TRAILER!!!", 0))
    return b"".join(members)


def _member(inode: int, name: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> bytes:
    encoded = name.encode() + b"\0"
    fields = (inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(encoded), 0)
    header = b"070701" + b"".join(b"%08x" % field for field in fields)
    return _padded(header + encoded) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
