# SPDX-License-Identifier: Apache-2.0
"""Storage of a search's trials: a file with Optuna's journal, or the URL of a database that Optuna supports."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from nandscape.errors import InputError
from nandscape.exploration.requirements import required
from nandscape.exploration.running import text_of

_FIRST_BYTES = b'{"op_code"'  # every line that Optuna writes to a journal begins with these bytes
_CHUNK = 1 << 16

Storage = str | os.PathLike[str] | None


def opened(storage: Storage) -> Any:
    """Opens a storage and returns it in the form that Optuna accepts. URLs are returned unchanged, as is None, which
    stores trials in memory.

    Removes the last line of a journal if a power loss or a full disk has cut it short: the trials before it are
    complete. Raises `InputError` for a file that is not a journal, and does not change it.
    """
    if storage is None or (isinstance(storage, str) and "://" in storage):
        return storage
    journal = required("optuna.storages.journal", "explore", "explore()")
    file = os.fspath(storage)
    lock = journal.JournalFileSymlinkLock(file)
    if _is_torn(file):
        lock.acquire()  # waits until a process that is writing a line has finished it
        try:
            with open(file, "r+b") as lines:
                lines.truncate(_end_of_whole_lines(lines))
        finally:
            lock.release()
    return journal.JournalStorage(journal.JournalFileBackend(file, lock_obj=lock))


@contextmanager
def naming(storage: Storage) -> Iterator[None]:
    """Turns an error in the block into an `InputError` that names the storage. `InputError` and OSError pass unchanged,
    as do all errors if the trials are in memory."""
    try:
        yield
    except (InputError, OSError):
        raise
    except Exception as failure:  # raised by JSON, Optuna or the library of a database
        if storage is None:
            raise
        raise InputError(
            f"{os.fspath(storage)}: its trials cannot be read ({text_of(failure)}); give another storage or "
            "an intact copy"
        ) from None


def _is_torn(file: str) -> bool:
    """Returns whether the last line of a journal is incomplete. Raises `InputError` for a file that is not a
    journal."""
    if not os.path.exists(file) or os.path.getsize(file) == 0:
        return False
    with open(file, "rb") as lines:
        begin = lines.read(len(_FIRST_BYTES))
        if not _FIRST_BYTES.startswith(begin):
            raise InputError(f"{file}: is not a storage of trials; give another file, or one that does not exist yet")
        lines.seek(-1, os.SEEK_END)
        return lines.read(1) != b"\n"


def _end_of_whole_lines(lines: BinaryIO) -> int:
    end = lines.seek(0, os.SEEK_END)
    while end > 0:
        begin = max(0, end - _CHUNK)
        lines.seek(begin)
        newline = lines.read(end - begin).rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0
