# SPDX-License-Identifier: Apache-2.0
"""Where a search keeps its trials: Optuna's journal in a file, or a database that Optuna knows by its URL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from nandscape.errors import InputError
from nandscape.exploration.requirements import required
from nandscape.exploration.running import text_of

_FIRST_BYTES = b'{"op_code"'  # of every line that Optuna writes
_CHUNK = 1 << 16

Storage = str | os.PathLike[str] | None


def opened(storage: Storage) -> Any:
    """The storage as Optuna takes it; None, for trials in memory, is itself.

    A journal whose last line a power loss or a full disk has cut short loses that line: the trials before it are whole.
    Raises `InputError` for a file that is no journal, which stays as it is.
    """
    if storage is None or (isinstance(storage, str) and "://" in storage):
        return storage
    journal = required("optuna.storages.journal", "explore", "explore()")
    file = os.fspath(storage)
    lock = journal.JournalFileSymlinkLock(file)
    if _is_torn(file):
        lock.acquire()  # a process that is writing its line at this moment writes it to the end
        try:
            with open(file, "r+b") as lines:
                lines.truncate(_end_of_whole_lines(lines))
        finally:
            lock.release()
    return journal.JournalStorage(journal.JournalFileBackend(file, lock_obj=lock))


@contextmanager
def naming(storage: Storage) -> Iterator[None]:
    """What goes wrong with the trials of a storage within becomes an `InputError` that names it."""
    try:
        yield
    except (InputError, OSError):
        raise
    except Exception as failure:  # of JSON, Optuna and the libraries of databases
        if storage is None:
            raise
        raise InputError(
            f"{os.fspath(storage)}: its trials cannot be read ({text_of(failure)}); give another storage, or a copy "
            "that is whole"
        ) from None


def _is_torn(file: str) -> bool:
    """Whether a journal does not end with the end of a line. Raises `InputError` for what is no journal."""
    if not os.path.exists(file) or os.path.getsize(file) == 0:
        return False
    with open(file, "rb") as lines:
        begin = lines.read(len(_FIRST_BYTES))
        if not _FIRST_BYTES.startswith(begin):
            raise InputError(f"{file}: is no storage of trials; give another file, or one that does not exist yet")
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
