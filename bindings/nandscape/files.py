# SPDX-License-Identifier: Apache-2.0
"""Files that appear whole or not at all."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary file beside `path`, with its suffix; it takes the place of `path` when the block ends without an
    error, and goes away otherwise. Behind a symbolic link it is the link's target that is replaced. What is no regular
    file, such as a device or a pipe, is written to itself. Checkpoints go by the same rules."""
    target = Path(os.path.realpath(path))
    exists = target.exists()
    if exists and not target.is_file():
        yield target
        return
    if exists and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    temporary = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        yield temporary
        if exists:
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
