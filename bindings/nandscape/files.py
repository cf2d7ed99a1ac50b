# SPDX-License-Identifier: Apache-2.0
"""Output files of commands. Their paths are checked before the work begins, and a file is written completely or not at
all."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def check_folders(*paths: str | os.PathLike[str] | None) -> None:
    """Raises FileNotFoundError for a file in a folder that does not exist. Does not check "-" and None, which have no
    folder."""
    for path in paths:
        if path and path != "-" and not Path(path).parent.is_dir():
            raise FileNotFoundError(f"{path}: there is no folder '{Path(path).parent}' to write to")


def check_outputs(file: str | os.PathLike[str] | None, plot: str | os.PathLike[str] | None) -> None:
    """Calls `check_folders` for a command's output file and picture. Raises InputError if pictures cannot be written in
    the format of `plot`."""
    check_folders(file, plot)
    if plot:
        # Slow to import.
        from nandscape.pictures.style import check_format

        check_format(plot)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yields a temporary file beside `path`, with the same suffix. It replaces `path` if the block ends without an
    error, and is removed otherwise. If `path` is a symbolic link, the link's target is replaced. If `path` is not a
    regular file, for example a device or a pipe, `path` itself is yielded. Checkpoints are written by the same rules.
    """
    target = Path(os.path.realpath(os.fsdecode(path)))
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
