# SPDX-License-Identifier: Apache-2.0
"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    """A path as the system takes it. Raises ValueError for one that no file has."""
    name = os.fsencode(path)
    if not name or b"\0" in name:
        raise ValueError(f"{os.fspath(path)!r} names no file: a path has a character at least, and no NUL")
    return name


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary file beside `path`, with its suffix; it takes the place of `path` when the block ends without an
    error, and goes away otherwise. What is no regular file, such as a device or a pipe, is written to itself."""
    target = Path(path)
    if target.exists() and not target.is_file():
        yield target
        return
    temporary = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        yield temporary
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
