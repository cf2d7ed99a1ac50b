# SPDX-License-Identifier: Apache-2.0
"""Calls functions as scenarios, and passes to each function the objects that its parameters name."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from nandscape.scenario.devices import parts_of
from nandscape.scenario.scheduler import Scheduler

if TYPE_CHECKING:
    from nandscape.simulation import Simulation

Scenario = Callable[..., Coroutine[Any, Any, Any]]


def play(simulation: Simulation, scenarios: tuple[Scenario, ...]) -> list[Any]:
    """Implements `Simulation.play`."""
    scheduler = Scheduler(simulation)
    parts = parts_of(simulation, scheduler)
    calls = [(scenario, _arguments(scenario, parts)) for scenario in scenarios]
    return scheduler.play([(scenario(**arguments), _name(scenario)) for scenario, arguments in calls])


def _arguments(scenario: Scenario, parts: dict[str, Any]) -> dict[str, Any]:
    if not inspect.iscoroutinefunction(scenario):
        raise TypeError(f"a scenario is an async function, not {scenario!r}")
    parameters = inspect.signature(scenario).parameters.values()
    unknown = [
        parameter.name
        for parameter in parameters
        if parameter.name not in parts and parameter.default is parameter.empty and parameter.kind not in _CATCH_ALL
    ]
    if unknown:
        raise TypeError(
            f"the scenario {_name(scenario)!r} asks for {', '.join(unknown)}; scenarios are given {', '.join(parts)}; "
            f"bind other parameters with functools.partial"
        )
    named = {parameter.name for parameter in parameters if parameter.default is parameter.empty}
    return {name: part for name, part in parts.items() if name in named}


_CATCH_ALL = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _name(scenario: Any) -> str:
    while isinstance(scenario, functools.partial):
        scenario = scenario.func
    return scenario.__name__
