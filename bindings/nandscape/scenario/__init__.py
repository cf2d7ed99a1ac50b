# SPDX-License-Identifier: Apache-2.0
"""Scenarios: coroutines that operate a simulated drive concurrently, as cocotb does for tests of hardware.

>>> async def reader(host, clock):
...     await clock.delay(us=50)
...     return await host.read(0, 4096)
>>> (data,) = simulation.play(reader)

A scenario can await commands of `host`, times of `clock`, events and other tasks. `first` and `gather` await several of
them at once. See `nandscape.Simulation.play`.
"""

from nandscape.scenario.devices import Clock, Host, Nand, Power
from nandscape.scenario.scheduler import Deadlock, Task, TaskCancelled, first, gather, start
from nandscape.scenario.waiting import Awaitable, Cancelled, Event

__all__ = [
    "Awaitable",
    "Cancelled",
    "Clock",
    "Deadlock",
    "Event",
    "Host",
    "Nand",
    "Power",
    "Task",
    "TaskCancelled",
    "first",
    "gather",
    "start",
]
