# SPDX-License-Identifier: Apache-2.0
"""Drives that are made once, and from which the points of a sweep go on."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nandscape import _core
from nandscape.config import Config
from nandscape.exploration.points import SEED
from nandscape.exploration.running import text_of
from nandscape.exploration.store import key_of
from nandscape.simulation import Simulation, from_checkpoint

# Brings the drive of a simulation into the state in which it is measured.
Prepare = Callable[[Simulation], object]


class WarmStart:
    """The drives that a sweep's `warm_start` asks for: none, one of the base for each seed, or that of a checkpoint.
    Those of the base are prepared once each. `errors`: of the seeds whose drive could not be prepared.

    Raises `InputError` for a file that is no checkpoint, OSError for one that cannot be read, and ValueError for one
    that is to be prepared.
    """

    def __init__(
        self, asked: bool | str | os.PathLike[str] | None, base: Config, prepare: Prepare | None = None
    ) -> None:
        self._base = base if asked is True else None
        self._prepare = prepare
        self.errors: dict[int, str] = {}
        self._file = None
        self._digest = None
        if not isinstance(asked, bool) and asked is not None:
            if prepare is not None:
                raise ValueError(
                    "the drive in a checkpoint is prepared already; prepare it before it is saved, or leave out prepare"
                )
            self._file = os.path.abspath(os.fsdecode(asked))
            with open(self._file, "rb") as saved:
                self._digest = hashlib.file_digest(saved, "sha256").hexdigest()
            # The base's plug-ins are the user's own, whatever the checkpoint names.
            from_checkpoint(self._file, [(key, base[key]) for key in _core.plugin_keys() if base[key]])

    def mark(self, seed: int) -> str | None:
        """What identifies the state of the drive that runs with this seed go on from."""
        return key_of(self._base.override({SEED: seed}), None, None) if self._base is not None else self._digest

    @contextmanager
    def files(self, seeds: Iterable[int]) -> Iterator[dict[int, str]]:
        """The checkpoint of each seed whose drive could be prepared. Those that are made here go away when the block
        ends."""
        if self._base is None:
            yield dict.fromkeys(seeds, self._file) if self._file is not None else {}
            return
        with tempfile.TemporaryDirectory(prefix="nandscape-sweep-") as folder:
            files = {}
            for seed in seeds:
                file = str(Path(folder, f"seed-{seed}"))
                try:
                    simulation = Simulation(self._base.override({SEED: seed}))
                    if self._prepare is not None:
                        self._prepare(simulation)
                    simulation.checkpoint(file)
                except KeyboardInterrupt:
                    raise
                except BaseException as failure:  # SystemExit is one
                    self.errors[seed] = text_of(failure)
                else:
                    files[seed] = file
            yield files
