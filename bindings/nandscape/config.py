# SPDX-License-Identifier: Apache-2.0
"""Configurations: read, checked against the schema, resolved, and unchanged from then on."""

from __future__ import annotations

import copy
import difflib
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from nandscape import _core
from nandscape.errors import ConfigError, ConfigWarning
from nandscape.policies import Policy

_DEEPEST = 100  # groups within one another; far more than there are

# "key=value" as on the command line, or a path and its value.
Override = str | tuple[str, Any]


class Config:
    """A checked configuration with every key resolved; made by `load`.

    It does not change. Keys are dotted paths: `cfg["nand.timing.t_prog_us"]` is a value, `cfg["nand.timing"]` a dict.
    `nandscape params` lists them all with their units and meanings. `name`: the preset or file it was loaded from.
    """

    def __init__(self, resolved: _core.Configuration, name: str) -> None:
        self._core = resolved
        self.name = name

    @cached_property
    def _tree(self) -> dict[str, Any]:
        return self._core.to_dict()

    def to_dict(self) -> dict[str, Any]:
        """Every key with the value in force, nested. Loading it again gives the same configuration.

        A policy of Python is there by its name, "module:Class", and has to be given again: see `policies`.
        """
        return self._core.to_dict()

    def to_yaml(self) -> str:
        """The same as the text of a configuration file."""
        return self._core.to_yaml()

    def policies(self) -> dict[str, Policy]:
        """The policies of Python (`nandscape.policies`) that it has, by their paths. They are copies."""
        return self._core.policies()

    def override(self, overrides: Mapping[str, Any] | None = None, /, **groups: Any) -> Config:
        """A new configuration with some keys changed; takes what `load` takes after its first argument.

        Raises `ConfigError` as `load` does.
        """
        return Config(_core.override_configuration(self._core, flatten(overrides, groups)), self.name)

    def warn(self, stacklevel: int = 1) -> None:
        """Warns (`ConfigWarning`) of keys that were given and do nothing under the present choices.

        Keys of presets, and of what a file extends, are not meant. Every simulation does this at its start.
        """
        for line in self._core.warnings():
            warnings.warn(line, ConfigWarning, stacklevel=stacklevel + 1)

    def __getitem__(self, path: str) -> Any:
        """The value of a key, or a group as a dict (a copy). Raises KeyError, which names the nearest key."""
        return copy.deepcopy(_find(self._tree, path))

    def __contains__(self, path: str) -> bool:
        try:
            _find(self._tree, path)
        except KeyError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        return self._tree == other._tree if isinstance(other, Config) else NotImplemented

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.to_dict(), self.name, self.policies())

    def __repr__(self) -> str:
        shape = self["nand.geometry"]
        dies = f"{self['channel.count']} channels x {shape['chips_per_channel']} chips x {shape['dies_per_chip']} dies"
        return f"<Config {self.name}: {dies}, {raw_bytes(self) / 2**30:.6g} GiB raw, seed {self['simulation.seed']}>"


def load(
    source: str | os.PathLike[str] | Mapping[str, Any] | Config,
    overrides: Mapping[str, Any] | None = None,
    /,
    **groups: Any,
) -> Config:
    """A configuration from a preset's name, a YAML file or a dict, with some keys changed.

    `overrides` maps dotted paths to values, in order: `{"nand.timing.t_prog_us": 900}`. Keywords do the same group
    by group: `load("default", nand={"timing": {"t_prog_us": 900}})`. Values are numbers in the unit that the key
    names, strings, bools, lists, or numpy's scalars. Where a key takes the name of a policy, an object of a class of
    `nandscape.policies` may stand instead.

    Raises `ConfigError` for an unknown preset or key (with the nearest one), a value of the wrong type or out of its
    range, and values that contradict each other.
    """
    if isinstance(source, Config):
        return source.override(overrides, **groups)
    changes = flatten(overrides, groups)
    if isinstance(source, Mapping):
        return Config(_core.resolve_configuration(dict(source), changes), "from a dict")
    return from_file(source, changes)


def from_file(source: str | os.PathLike[str], changes: Iterable[Override]) -> Config:
    """A configuration from a preset's name or a file, with overrides as pairs or as the text of `--set`."""
    return Config(_core.load_configuration(os.fsencode(source), list(changes)), os.fsdecode(source))


def raw_bytes(config: Config) -> int:
    """Bytes of user data that all pages of the NAND hold, over-provisioned ones included."""
    shape = config["nand.geometry"]
    per_chip = ("dies_per_chip", "planes_per_die", "blocks_per_plane", "pages_per_block", "page_bytes")
    total = config["channel.count"] * shape["chips_per_channel"]
    for factor in per_chip:
        total *= shape[factor]
    return total


def flatten(overrides: Mapping[str, Any] | None, groups: Mapping[str, Any]) -> list[Override]:
    """Overrides as a list of paths and values; nested groups become one override per key."""
    if overrides is not None and not isinstance(overrides, Mapping):
        raise TypeError(f"overrides are a dict of paths and values, not {type(overrides).__name__}")
    return [*(overrides or {}).items(), *_leaves(groups, "")]


def _leaves(tree: Mapping[str, Any], prefix: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    if depth > _DEEPEST:
        raise ConfigError("a group is nested too deeply, or in itself", prefix.partition(".")[0])
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.", depth + 1)
        else:
            yield prefix + key, value


def _find(tree: dict[str, Any], path: str) -> Any:
    value: Any = tree
    walked: list[str] = []
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            near = difflib.get_close_matches(part, value, n=1) if isinstance(value, dict) else []
            hint = f"; the nearest is '{'.'.join([*walked, near[0]])}'" if near else ""
            raise KeyError(f"no key '{'.'.join([*walked, part])}'{hint}")
        value = value[part]
        walked.append(part)
    return value


def _restored(tree: dict[str, Any], name: str, policies: dict[str, Policy]) -> Config:
    return Config(_core.resolve_configuration(tree, list(policies.items())), name)
