# SPDX-License-Identifier: Apache-2.0
"""Descriptions of workloads: plain dicts, as they stand under `host.workload` in a configuration file."""

import os
from collections.abc import Sequence
from typing import Any

Workload = dict[str, Any] | Sequence[dict[str, Any]]


def synthetic(**options: Any) -> dict[str, Any]:
    """A workload made by rule, such as `synthetic(read_percent=100, block_bytes=16384, requests=50_000)`.

    The options are the keys `nandscape params host.workload` lists; what is left out has the schema's default. They are
    checked when a configuration takes the workload.
    """
    return {"kind": "synthetic", **options}


def profile(name: str | os.PathLike[str], /, **options: Any) -> dict[str, Any]:
    """A workload with the statistics of a published one, such as `profile("ycsb_a", requests_per_s=20_000)`.

    `name` is one that `nandscape profiles` lists, or a file of your own. The options are the keys `nandscape params
    host.workload` lists; figures among them count instead of the profile's. With `requests_per_s` it is an open loop,
    else `queue_depth` requests are in flight.
    """
    pacing = {"pacing": "open"} if "requests_per_s" in options else {}
    return {"kind": "profile", "profile": os.fsdecode(name), **pacing, **options}


def trace(path: str | os.PathLike[str], **options: Any) -> dict[str, Any]:
    """A workload that replays a recorded trace, plain or compressed (.gz, .xz, .zst), such as `trace("web.csv")`.

    The options are the keys `nandscape params host.workload` lists; what is left out has the schema's default. The file
    is read while the simulation runs; a record that cannot be read raises `InputError` then.
    """
    return {"kind": "trace", "path": os.fsdecode(path), **options}


def as_list(workload: Workload) -> list[dict[str, Any]]:
    """One workload or several as a list, which takes the place of what a configuration has; a dict would be laid over
    it key by key."""
    return [workload] if isinstance(workload, dict) else list(workload)
