# SPDX-License-Identifier: Apache-2.0
"""Drives that are prepared once, so that all points of a sweep can continue from them."""

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

# A function that brings the drive of a simulation into the state in which it is measured.
Prepare = Callable[[Simulation], object]


class WarmStart:
    """The drives that a sweep's `warm_start` selects: no drive, the drive of the base configuration for each seed, or
    the drive of a checkpoint. Each drive of the base configuration is prepared once. `errors`: the error of each seed
    whose drive could not be prepared.

    Raises `InputError` for a file that is not a checkpoint, OSError for a file that cannot be read, and ValueError for
    a checkpoint together with `prepare`.
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
            # Checks that the checkpoint can be loaded. The plug-ins of the base configuration, which the user has
            # chosen, replace the plug-ins that the checkpoint names.
            from_checkpoint(self._file, [(key, base[key]) for key in _core.plugin_keys() if base[key]])

    def mark(self, seed: int) -> str | None:
        """Returns a string that identifies the drive from which runs with this seed continue, or None without a warm
        start."""
        return key_of(self._base.override({SEED: seed}), None, None) if self._base is not None else self._digest

    @contextmanager
    def files(self, seeds: Iterable[int]) -> Iterator[dict[int, str]]:
        """Yields the checkpoint file of each seed whose drive could be prepared. Files that are made here are deleted
        at the end of the block."""
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
                except BaseException as failure:  # includes SystemExit
                    self.errors[seed] = text_of(failure)
                else:
                    files[seed] = file
            yield files
