# SPDX-License-Identifier: Apache-2.0
"""Configurations: immutable sets of keys and values, read from files or dicts and checked against the schema."""

from __future__ import annotations

import copy
import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from nandscape import _core, saved_results
from nandscape.dotted import paths_of, value_of
from nandscape.errors import ConfigError, ConfigWarning, Error
from nandscape.files import replacing
from nandscape.given import GivenRequests, put_requests, refuse_given, sources_in, take_requests
from nandscape.policies import Policy

_DEEPEST = 100  # levels of nested groups; far more than the schema has

# A change to a configuration: a string "key=value" as on the command line, or a pair of a path and a value.
Override = str | tuple[str, Any]


class Config(Mapping[str, Any]):
    """A checked configuration with a value for every key; made by `load`.

    It is an immutable mapping. Keys are dotted paths: `cfg["nand.timing.t_prog_us"]` is a value, `cfg["nand.timing"]` a
    dict. Iteration yields the path of every value. `nandscape params` lists the keys with their units and meanings.
    `name`: the preset or the file from which it was loaded.
    """

    def __init__(
        self, resolved: _core.Configuration, name: str, given: Mapping[str, GivenRequests] | None = None
    ) -> None:
        self._core = resolved
        self.name = name
        asked_for = sources_in(resolved.to_dict()) if given else set()
        self._given = {source: requests for source, requests in (given or {}).items() if source in asked_for}

    @cached_property
    def _tree(self) -> dict[str, Any]:
        return self.to_dict()

    def to_dict(self) -> dict[str, Any]:
        """Returns all keys with their values, as nested dicts. Loading the result again gives the same configuration.

        The `source` of a workload that `nandscape.requests` made is the object that holds its requests. A policy
        written in Python appears by its name, "module:Class"; loading needs the object again (see `policies`).
        """
        tree = self._core.to_dict()
        put_requests(tree, self._given)
        return tree

    def described(self) -> dict[str, Any]:
        """Returns the same as `to_dict`, for a file that is not loaded again. Requests made by `nandscape.requests` are
        replaced by a string that describes them."""
        tree = self._core.to_dict()
        put_requests(tree, {name: repr(requests) for name, requests in self._given.items()})
        return tree

    def to_yaml(self) -> str:
        """Returns all keys with their values, as the text of a configuration file.

        Raises `Error` for a workload that `nandscape.requests` made, which a file cannot hold.
        """
        refuse_given(self._given, "a configuration file")
        return self._core.to_yaml()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes `to_yaml` to a file that `load` reads, completely or not at all.

        Raises the error of `to_yaml`, `Error` if `path` ends in neither .yaml nor .yml, and OSError if the file
        cannot be written.
        """
        if Path(os.fsdecode(path)).suffix not in (".yaml", ".yml"):
            raise Error(f"{os.fsdecode(path)}: a configuration is written as .yaml or .yml")
        text = self.to_yaml()
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")

    def diff(self, other: Config) -> dict[str, tuple[Any, Any]]:
        """Returns the keys whose values differ, each with its values in this and in the other configuration. A key that
        one of them lacks has None there. The keys of several workloads contain a number from 0:
        `host.workload.1.kind`."""
        from nandscape.differences import differing, values_by_key

        return {key: (mine, theirs) for key, (mine, theirs) in differing(values_by_key([self, other])).items()}

    @property
    def effective_over_provisioning(self) -> float:
        """The over-provisioning that garbage collection can use: the ratio of spare flash to the data in the full
        blocks.

        `controller.mapping.over_provisioning` counts all flash. The blocks that a plane keeps free
        (`controller.garbage_collection.start_free_blocks`) and its open blocks cannot be collected; in planes with few
        blocks they occupy much of the spare flash. The ratio determines the long-run write amplification of random
        writes, as long as the host leaves collection enough time to keep up. Under a higher load the free blocks fall
        to `controller.garbage_collection.reserved_blocks`, and the spare flash grows by the difference.
        """
        return self._core.effective_over_provisioning()

    @property
    def dies(self) -> int:
        """The number of dies of the drive."""
        shape = self["nand.geometry"]
        return int(self["channel.count"] * shape["chips_per_channel"] * shape["dies_per_chip"])

    @property
    def planes(self) -> int:
        """The number of planes of all dies."""
        return int(self.dies * self["nand.geometry.planes_per_die"])

    def policies(self) -> dict[str, Policy]:
        """Returns copies of the policies written in Python (`nandscape.policies`), by the paths of their keys."""
        return self._core.policies()

    def foreign_plugins(self) -> dict[str, str]:
        """Returns the keys whose plug-in is named only by a saved result or a checkpoint, each with the path of that
        file. A configuration with such keys can be inspected, but no simulation can be built from it unless `load`
        allows plug-ins."""
        return self._core.foreign_plugins

    def require_allowed_plugins(self) -> None:
        """Raises `ConfigError` if `foreign_plugins` returns any key, since these plug-ins may not be loaded."""
        self._core.require_allowed_plugins()

    def override(self, overrides: Mapping[str, Any] | None = None, /, **groups: Any) -> Config:
        """Returns a new configuration with some keys changed. The arguments are those of `load` after its first.

        Raises `ConfigError` as `load` does.
        """
        given = dict(self._given)
        return self._changed(flatten(overrides, groups), given, allow_plugins=False)

    def _changed(self, changes: Iterable[Override], given: dict[str, GivenRequests], *, allow_plugins: bool) -> Config:
        changed = _core.override_configuration(self._core, take_from(changes, given), allow_plugins)
        return Config(changed, self.name, given)

    def warn(self, stacklevel: int = 1) -> None:
        """Issues a `ConfigWarning` for each given key that has no effect because of the values of other keys, for free
        and open blocks that occupy more than a quarter of the over-provisioning, and for a flash condition outside the
        range to which the cells were fitted.

        Keys of presets, and of a file that another file extends, may be without effect and cause no warning. Every
        simulation calls this method when it is built.
        """
        for line in self._core.warnings():
            warnings.warn(line, ConfigWarning, stacklevel=stacklevel + 1)

    def __getitem__(self, path: str) -> Any:
        """Returns the value of a key, or a copy of a group as a dict. The KeyError for an unknown key names the most
        similar key."""
        return copy.deepcopy(value_of(self._tree, path, "key"))

    def __iter__(self) -> Iterator[str]:
        return paths_of(self._tree)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        return self._tree == other._tree if isinstance(other, Config) else NotImplemented

    def __hash__(self) -> int:
        return hash(json.dumps(self._tree, default=lambda _: None))  # policies and given requests do not count

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.to_dict(), self.name, self.policies(), self._core.foreign_plugins)

    def __repr__(self) -> str:
        shape = self["nand.geometry"]
        dies = f"{self['channel.count']} channels x {shape['chips_per_channel']} chips x {shape['dies_per_chip']} dies"
        return f"<Config {self.name}: {dies}, {raw_bytes(self) / 2**30:.6g} GiB raw, seed {self['simulation.seed']}>"


def load(
    source: str | os.PathLike[str] | Mapping[str, Any] | Config,
    overrides: Mapping[str, Any] | None = None,
    /,
    *,
    allow_plugins: bool = False,
    **groups: Any,
) -> Config:
    """Loads a configuration from a preset's name, a YAML file, a saved result or a dict, and changes some of its keys.

    `overrides` maps dotted paths to values, in order: `{"nand.timing.t_prog_us": 900}`. Keyword arguments do the same
    for whole groups: `load("default", nand={"timing": {"t_prog_us": 900}})`. Values are numbers in the unit that the
    key names, strings, bools, lists, or numpy's scalars. A key that accepts the name of a policy also accepts an object
    of a class of `nandscape.policies`.

    `allow_plugins`: whether libraries that a saved result or its configuration names (`ecc.plugin` and the like) may be
    loaded. Without it, that configuration can be inspected, but no simulation can be built from it.

    Raises `ConfigError` for an unknown preset or key (the message names the most similar one), a value of the wrong
    type or out of its range, and values that contradict each other.
    """
    changes = flatten(overrides, groups)
    if isinstance(source, Config):
        return source._changed(changes, dict(source._given), allow_plugins=allow_plugins)
    if isinstance(source, Mapping):
        return _from_tree(dict(source), changes, "from a dict")
    return from_file(source, changes, trust_of(allow_plugins))


def trust_of(allow_plugins: bool) -> _core.PluginTrust:
    """Returns the kinds of sources whose plug-ins may be loaded for a run: configuration files, and with permission
    also saved results."""
    return _core.PluginTrust.results if allow_plugins else _core.PluginTrust.files


def from_file(
    source: str | os.PathLike[str], changes: Iterable[Override], trust: _core.PluginTrust = _core.PluginTrust.files
) -> Config:
    """Loads a configuration from a preset's name or a file. The changes are pairs of path and value, or strings as
    given to `--set`.

    A saved result yields the configuration of its run."""
    if os.fsdecode(source).endswith(saved_results.WITH_REQUESTS):
        document, _ = saved_results.read(source)
        return of_result(document["configuration"], changes, source, trust == _core.PluginTrust.results)
    given: dict[str, GivenRequests] = {}
    resolved = _core.load_configuration(os.fsencode(source), take_from(changes, given), trust)
    return Config(resolved, os.fsdecode(source), given)


def of_result(
    tree: dict[str, Any], changes: Iterable[Override], file: str | os.PathLike[str], allow_plugins: bool = False
) -> Config:
    """Returns the configuration in a saved result. Raises a `ConfigError` that names the file if this version of
    nandscape cannot use the configuration."""
    name = os.fsdecode(file)
    foreign = {} if allow_plugins else dict.fromkeys(_core.plugin_keys(), name)
    try:
        return _from_tree(tree, changes, name, foreign)
    except ConfigError as error:
        lines = [line.removeprefix("Python: ") for line in str(error).splitlines()]
        raise ConfigError("\n".join(f"{name}: {line}" for line in lines), error.path) from None
    except TypeError as error:  # a value that JSON cannot hold
        raise ConfigError(f"{name}: {error}") from None


def raw_bytes(config: Config) -> int:
    """Returns the number of bytes of user data in all pages of the NAND, including over-provisioned pages."""
    shape = config["nand.geometry"]
    return int(config.planes * shape["blocks_per_plane"] * shape["pages_per_block"] * shape["page_bytes"])


def flatten(overrides: Mapping[str, Any] | None, groups: Mapping[str, Any]) -> list[Override]:
    """Returns overrides as a list of pairs of path and value. A nested group becomes one override per key."""
    if overrides is not None and not isinstance(overrides, Mapping):
        raise TypeError(f"overrides must be a dict of paths and values, not {type(overrides).__name__}")
    return [*(overrides or {}).items(), *_leaves(groups, "")]


def _leaves(tree: Mapping[str, Any], prefix: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    if depth > _DEEPEST:
        raise ConfigError("a group is nested too deeply, or in itself", prefix.partition(".")[0])
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.", depth + 1)
        else:
            yield prefix + key, value


def _restored(tree: dict[str, Any], name: str, policies: dict[str, Policy], foreign_plugins: dict[str, str]) -> Config:
    return _from_tree(tree, policies.items(), name, foreign_plugins)


def _from_tree(
    tree: dict[str, Any], changes: Iterable[Override], name: str, foreign_plugins: Mapping[str, str] | None = None
) -> Config:
    """Resolves a configuration given as a dict. `foreign_plugins` maps each key whose plug-in a saved file names to the
    path of that file."""
    given: dict[str, GivenRequests] = {}
    foreign = dict(foreign_plugins or {})
    resolved = _core.resolve_configuration(take_requests(tree, given), take_from(changes, given), foreign)
    return Config(resolved, name, given)


def take_from(changes: Iterable[Override], given: dict[str, GivenRequests]) -> list[Override]:
    """Applies `take_requests` to the value of each override that is a pair."""
    return [change if isinstance(change, str) else (change[0], take_requests(change[1], given)) for change in changes]
