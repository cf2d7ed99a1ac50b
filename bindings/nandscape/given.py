# SPDX-License-Identifier: Apache-2.0
"""Puts requests that the user's program has made into configurations. The configuration holds a name in place of the
requests, since a file cannot hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nandscape.errors import Error


class GivenRequests:
    """Requests made by the program. The object is the `source` of a workload of kind `requests`, and is immutable."""

    def core(self) -> Any:
        """Returns the requests in the form that a simulation accepts."""
        raise NotImplementedError

    def mark(self) -> str:
        """Returns a string that identifies the requests. Raises `InputError` if no string can identify them."""
        raise NotImplementedError

    def __deepcopy__(self, memo: dict[int, Any]) -> GivenRequests:
        return self


def take_requests(tree: Any, given: dict[str, GivenRequests]) -> Any:
    """Finds the requests among the values of a configuration and adds them to `given`, each under a name. Returns the
    values with these names in place of the requests."""
    return _taken(tree, given, 0)


def put_requests(tree: dict[str, Any], given: Mapping[str, GivenRequests | str]) -> None:
    """Puts requests back into a resolved configuration, in place of their names."""
    for workload in _workloads(tree):
        if workload["kind"] == "requests" and workload["source"] in given:
            workload["source"] = given[workload["source"]]


def sources_in(tree: dict[str, Any]) -> set[str]:
    """Returns the names of requests that occur in a resolved configuration."""
    return {workload["source"] for workload in _workloads(tree) if workload["kind"] == "requests"}


def given_to_core(given: Mapping[str, GivenRequests]) -> dict[str, Any]:
    """Returns the requests in the form that simulations of the extension module accept."""
    return {name: requests.core() for name, requests in given.items()}


def refuse_given(given: Mapping[str, GivenRequests], where: str) -> None:
    """Raises `Error` unless `given` is empty."""
    if given:
        requests = ", ".join(repr(source) for source in given.values())
        raise Error(f"host.workload: {requests} are given by the program, and {where} cannot hold them")


def _workloads(tree: dict[str, Any]) -> list[dict[str, Any]]:
    workloads = tree["host"]["workload"]
    return workloads if isinstance(workloads, list) else [workloads]


_DEEPEST = 4  # the depth at which requests can occur: host, workload, an item of the list, the source of the item


def _taken(value: Any, given: dict[str, GivenRequests], depth: int) -> Any:
    if isinstance(value, GivenRequests):
        for name, there in given.items():
            if there is value:
                return name
        name = f"given{next(k for k in range(len(given) + 1) if f'given{k}' not in given)}"
        given[name] = value
        return name
    if depth == _DEEPEST:
        return value
    if isinstance(value, dict):
        return {key: _taken(item, given, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], (dict, list)):
        return [_taken(item, given, depth + 1) for item in value]
    return value
