# SPDX-License-Identifier: Apache-2.0
"""Files that commands write: refused before the work that leads to them, and there whole or not at all."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def check_folders(*paths: str | os.PathLike[str] | None) -> None:
    """Raises FileNotFoundError for a file in a folder that does not exist. "-" and None need none."""
    for path in paths:
        if path and path != "-" and not Path(path).parent.is_dir():
            raise FileNotFoundError(f"{path}: there is no folder '{Path(path).parent}' to write to")


def check_outputs(file: str | os.PathLike[str] | None, plot: str | os.PathLike[str] | None) -> None:
    """The same for what a command writes, and raises InputError unless pictures can have the format of `plot`."""
    check_folders(file, plot)
    if plot:
        # Slow to import.
        from nandscape.pictures.style import check_format

        check_format(plot)


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
