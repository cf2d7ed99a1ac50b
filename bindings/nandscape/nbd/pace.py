# SPDX-License-Identifier: Apache-2.0
"""How simulated time passes beside the wall clock."""

from __future__ import annotations

import time
from typing import Protocol

from nandscape.errors import Error
from nandscape.units import TICKS_PER_UNIT

_NEVER = 2**64 - 1
_PS_PER_NS = TICKS_PER_UNIT["ns"]


class Pace(Protocol):
    """`idle_s`: for how many seconds of wall time an idle server may sleep; None: until the next request. `patience_s`:
    for how many seconds, before more simulated time passes, the server waits for the next requests of the clients that
    it has replied to."""

    idle_s: float | None
    patience_s: float

    def limit(self, now: int) -> int:
        """Returns the tick until which simulated time may pass now, while requests are under way."""
        ...

    def idle_until(self, now: int) -> int:
        """Returns the tick until which simulated time passes now, while no request is under way."""
        ...

    def ended(self) -> None:
        """Called when a request has ended."""
        ...

    def interrupted(self) -> None:
        """Called when simulated time has passed, or wall time without simulated time, for another reason."""
        ...


class FreePace:
    """Simulated time passes while requests are under way, as fast as it can be simulated, and stands still otherwise.

    Requests that arrive meanwhile are started in between. The server therefore looks for them after each request that
    ends and after a slice of simulated time. If nothing ends, the slices grow, up to the point where the simulation is
    left to itself, which ends commands that the drive cannot complete.
    """

    idle_s = None
    patience_s = 0.0

    # About the shortest latency of a read from flash; shorter slices would find hardly more requests.
    _SHORTEST = 50 * TICKS_PER_UNIT["us"]
    _LONGEST = TICKS_PER_UNIT["s"]

    def __init__(self) -> None:
        self._slice = self._SHORTEST

    def limit(self, now: int) -> int:
        if self._slice > self._LONGEST:
            return _NEVER
        until = now + self._slice
        self._slice *= 2
        return until

    def idle_until(self, now: int) -> int:
        return now

    def ended(self) -> None:
        self._slice = self._SHORTEST

    def interrupted(self) -> None:
        pass


class LockstepPace(FreePace):
    """A free pace that waits for the clients. A client that sends a request after each reply, as fio does, keeps its
    queue depth on the drive, no matter how much wall time it takes."""

    # Clients answer within some 0.1 ms. If one does not, it has no further request at the moment.
    patience_s = 0.002


class WallPace:
    """Simulated time follows the wall clock, also while no request is under way. It is never ahead of the clock.

    While requests take longer to simulate than on the drive, it falls behind. As soon as none is under way, the two
    clocks are compared anew, so that an idle time is as long for the drive as for the client.
    """

    # Short enough that the drive's work in the meantime is simulated before the client notices.
    idle_s = 0.05
    patience_s = 0.0

    def __init__(self) -> None:
        self._set: tuple[int, int] | None = None  # simulated time in ticks and wall time in ns of the same instant
        self._is_idle = False

    def limit(self, now: int) -> int:
        self._is_idle = False
        return self._clock(now)

    def idle_until(self, now: int) -> int:
        if not self._is_idle:
            self._is_idle = True
            self._set = None
        return self._clock(now)

    def ended(self) -> None:
        pass

    def interrupted(self) -> None:
        self._set = None

    def _clock(self, now: int) -> int:
        if self._set is None:
            self._set = now, time.monotonic_ns()
        simulated, wall = self._set
        return max(now, simulated + (time.monotonic_ns() - wall) * _PS_PER_NS)


PACES: dict[str, type[FreePace] | type[WallPace]] = {"free": FreePace, "lockstep": LockstepPace, "wall": WallPace}


def pace_of(name: str) -> Pace:
    """Returns the pace of that name. Raises `Error` if there is none."""
    if name not in PACES:
        raise Error(f"pace: {name!r} is not known; one of {', '.join(PACES)}")
    return PACES[name]()
