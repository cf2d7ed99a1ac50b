# SPDX-License-Identifier: Apache-2.0
"""Descriptions of workloads: plain dicts, as under `host.workload` in a configuration file."""

import os
from collections.abc import Sequence
from typing import Any

from nandscape import _core

Workload = dict[str, Any] | Sequence[dict[str, Any]]


def synthetic(**options: Any) -> dict[str, Any]:
    """A generated workload, such as `synthetic(read_percent=100, block_bytes=16384, requests=50_000)`.

    The options are the keys that `nandscape params host.workload` lists, with the schema's defaults. They are checked
    when a configuration takes the workload.
    """
    return {"kind": "synthetic", **options}


def profile(name: str | os.PathLike[str], /, **options: Any) -> dict[str, Any]:
    """A workload with the statistics of a published one, such as `profile("ycsb_a", requests_per_s=20_000)`.

    `name` is one that `nandscape profiles` lists, or a file of your own. The options are the keys that `nandscape
    params host.workload` lists; a figure among them replaces that of the profile. With `requests_per_s` the workload is
    an open loop; otherwise `queue_depth` requests are in flight.
    """
    pacing = {"pacing": "open"} if "requests_per_s" in options else {}
    return {"kind": "profile", "profile": os.fsdecode(name), **pacing, **options}


def volume(name: str | os.PathLike[str], /, **options: Any) -> dict[str, Any]:
    """A workload with the amount of writes and the working set of a published one: `volume("hd1", scale=0.01)`.

    `name` is a volume that `nandscape profiles` lists, or a file of your own. The options are the keys that `nandscape
    params host.workload` lists. The workload is an open loop at the mean rate of the published amounts, unless
    `requests_per_s` or `pacing` says otherwise.
    """
    return {"kind": "volume", "profile": os.fsdecode(name), **options}


def profile_figures(name: str | os.PathLike[str], /, kind: str = "profile") -> dict[str, Any]:
    """The figures in the file of a profile, such as `profile_figures("hd1", kind="volume")["written_gib"]`.

    Numbers keep their notation: 149 is an int, 6.0 a float, so that `str` shows how the paper rounded the figure.
    Raises `ConfigError` for an unknown name and for a file with unknown keys.
    """
    return _core.workload_profile(kind, os.fsencode(name))


def trace(path: str | os.PathLike[str], **options: Any) -> dict[str, Any]:
    """A workload that replays a recorded trace, plain or compressed (.gz, .xz, .zst), such as `trace("web.csv")`.

    The options are the keys that `nandscape params host.workload` lists, with the schema's defaults. The file is read
    while the simulation runs; a record that cannot be read raises `InputError` then.
    """
    return {"kind": "trace", "path": os.fsdecode(path), **options}


def as_list(workload: Workload) -> list[dict[str, Any]]:
    """One workload or several, as a list. A list replaces the workloads of a configuration; a dict would be merged into
    them key by key."""
    return [workload] if isinstance(workload, dict) else list(workload)
