# SPDX-License-Identifier: Apache-2.0
"""The configuration of a point as a command that can be copied to a shell."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from nandscape import differences
from nandscape.config import Config, load
from nandscape.errors import Error
from nandscape.exploration.points import SEED, hashable

_WORKLOAD = "host.workload"


class Commands:
    """Writes the commands that run single points. `base`: the configuration in which the points set their parameters;
    None if it is not known.

    The commands name the preset or the file of the base, and the keys that were changed in it. If there is no such
    preset or file any more, they name `base.yaml`, and `is_named` is false.
    """

    def __init__(self, base: Config | None) -> None:
        settings = None if base is None else _settings(base)
        self.is_named = settings is not None
        self._name = base.name if base is not None and settings is not None else "base.yaml"
        self._settings = settings or {}

    def of(self, parameters: Mapping[str, Any], seed: int) -> str:
        """Returns the command that runs the point with these parameters and this seed. Parameters that are None are
        left out: the point does not have them."""
        keys = self._settings | {name: value for name, value in parameters.items() if value is not None} | {SEED: seed}
        words = [f"--set {shlex.quote(f'{key}={_text(value)}')}" for key, value in keys.items()]
        return " \\\n  ".join([f"nandscape run {shlex.quote(self._name)}", *words])


def _settings(base: Config) -> dict[str, Any] | None:
    """Returns the keys of a configuration that differ from the preset or the file whose name it has. Returns None if
    there is no such preset or file."""
    try:
        start = load(base.name)
    except (Error, OSError):
        return None
    different = differences.differing(differences.values_by_key([start, base]))
    changes = {key: now for key, (_, now) in different.items() if now is not None}
    ours = [key for key in changes if key.startswith(f"{_WORKLOAD}.")]
    if any(key == f"{_WORKLOAD}.kind" or key.split(".")[2].isdigit() for key in ours):
        changes = {key: value for key, value in changes.items() if key not in ours}
        changes[_WORKLOAD] = base.described()["host"]["workload"]
    return changes


def _text(value: Any) -> str:
    """Returns a value as `--set` reads it."""
    return json.dumps(value, default=repr) if isinstance(value, (list, dict)) else differences.shown(hashable(value))
