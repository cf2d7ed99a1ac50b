# SPDX-License-Identifier: Apache-2.0
"""Scenarios: coroutines that drive a simulated drive side by side, as tests of hardware are written with cocotb.

>>> async def reader(host, clock):
...     await clock.delay(us=50)
...     return await host.read(0, 4096)
>>> (data,) = simulation.play(reader)

What a scenario awaits are commands of `host`, times of `clock`, events, other tasks, and several of them at once by
`first` and `gather`. See `nandscape.Simulation.play`.
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
