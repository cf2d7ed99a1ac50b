# SPDX-License-Identifier: Apache-2.0
"""Functions that describe workloads as plain dicts, with the keys that `host.workload` has in a configuration file."""

import os
from collections.abc import Sequence
from typing import Any

from nandscape import _core

Workload = dict[str, Any] | Sequence[dict[str, Any]]


def synthetic(**options: Any) -> dict[str, Any]:
    """Returns a workload that is generated, for example `synthetic(read_percent=100, block_bytes=16384,
    requests=50_000)`.

    The options are the keys that `nandscape params host.workload` lists, with the schema's defaults. They are checked
    when the workload becomes part of a configuration.
    """
    return {"kind": "synthetic", **options}


def profile(name: str | os.PathLike[str], /, **options: Any) -> dict[str, Any]:
    """Returns a workload with the statistics of a published workload, for example `profile("ycsb_a",
    requests_per_s=20_000)`.

    `name` is a profile that `nandscape profiles` lists, or your own file. The options are the keys that `nandscape
    params host.workload` lists; a figure among them replaces the same figure of the profile. With `requests_per_s` the
    workload is an open loop; otherwise `queue_depth` requests are in flight.
    """
    pacing = {"pacing": "open"} if "requests_per_s" in options else {}
    return {"kind": "profile", "profile": os.fsdecode(name), **pacing, **options}


def volume(name: str | os.PathLike[str], /, **options: Any) -> dict[str, Any]:
    """Returns a workload with the amount of writes and the working set of a published volume, for example
    `volume("hd1", scale=0.01)`.

    `name` is a volume that `nandscape profiles` lists, or your own file. The options are the keys that `nandscape
    params host.workload` lists. The workload is an open loop at the mean rate of the published amounts, unless
    `requests_per_s` or `pacing` says otherwise.
    """
    return {"kind": "volume", "profile": os.fsdecode(name), **options}


def profile_figures(name: str | os.PathLike[str], /, kind: str = "profile") -> dict[str, Any]:
    """Returns the figures in the file of a profile, for example `profile_figures("hd1", kind="volume")["written_gib"]`.

    A number without a decimal point is an int, and 6.0 is a float, so that `str` shows how the paper rounded the
    figure. Raises `ConfigError` for an unknown name and for a file with unknown keys.
    """
    return _core.workload_profile(kind, os.fsencode(name))


def trace(path: str | os.PathLike[str], **options: Any) -> dict[str, Any]:
    """Returns a workload that replays a recorded trace, plain or compressed (.gz, .xz, .zst), for example
    `trace("web.csv")`.

    The options are the keys that `nandscape params host.workload` lists, with the schema's defaults. The file is read
    while the simulation runs. A record that cannot be read therefore raises `InputError` during the run.
    """
    return {"kind": "trace", "path": os.fsdecode(path), **options}


def as_list(workload: Workload) -> list[dict[str, Any]]:
    """Returns one or several workloads as a list. A list replaces the workloads of a configuration, whereas a dict
    would be merged into these workloads key by key."""
    return [workload] if isinstance(workload, dict) else list(workload)
