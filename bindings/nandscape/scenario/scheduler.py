# SPDX-License-Identifier: Apache-2.0
"""Runs tasks over simulated time, one at a time. Only the simulation determines their order. Neither the wall clock nor
an event loop has an influence."""

from __future__ import annotations

import heapq
import inspect
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from nandscape.errors import RequestError
from nandscape.scenario.waiting import Awaitable, Cancelled, First, Gather, Moment

if TYPE_CHECKING:
    from nandscape.scenario.devices import Operation
    from nandscape.simulation import Simulation

T = TypeVar("T")
Coro = Coroutine[Any, Any, T]

NEVER = 2**64 - 1


class Deadlock(RuntimeError):
    """Raised when all tasks wait and nothing in progress can wake them. The message says what each task waits for."""


class TaskCancelled(RuntimeError):
    """Raised when a cancelled task is awaited."""


class Task(Awaitable[T]):
    """A running coroutine; returned by `start`. Awaiting it returns the coroutine's value or raises its exception.

    An exception in the coroutine ends the run if no other task awaits this task.
    """

    def __init__(self, scheduler: Scheduler, coroutine: Coro[T], name: str) -> None:
        super().__init__()
        self.name = name
        self._scheduler = scheduler
        self._coroutine = coroutine
        self._waits_for: Awaitable[Any] | None = None
        self._to_be_cancelled = False

    def cancel(self) -> bool:
        """Raises `Cancelled` in the task at the point where the task waits. Returns False if the task has already
        ended."""
        if self._done:
            return False
        self._to_be_cancelled = True
        if self._waits_for is not None:
            waited_for, self._waits_for = self._waits_for, None
            waited_for._forget(self._go_on)
            self._scheduler.ready(self)
        return True

    def _go_on(self) -> None:
        self._waits_for = None
        self._scheduler.ready(self)

    def _step(self) -> None:
        """Runs the task until it waits or ends. Raises its exception if no task awaits it."""
        try:
            awaited = self._resume()
            while not isinstance(awaited, Awaitable):
                awaited = self._coroutine.throw(self._refusal(awaited))
        except StopIteration as returned:
            self._end(returned.value)
        except Cancelled:
            self._end(None, TaskCancelled(f"{self._what()} was cancelled"))
        except Exception as error:
            if not self._heard_by:
                raise
            self._end(None, error)
        else:
            self._wait(awaited)

    def _resume(self) -> Any:
        if self._to_be_cancelled:
            self._to_be_cancelled = False
            return self._coroutine.throw(Cancelled())
        return self._coroutine.send(None)

    def _refusal(self, awaited: Any) -> TypeError:
        return TypeError(
            f"{self._what()} awaits {type(awaited).__name__}, which a scenario cannot; await commands of host, times "
            f"of clock, events and tasks"
        )

    def _wait(self, awaited: Awaitable[Any]) -> None:
        if self._to_be_cancelled:
            self._scheduler.ready(self)
            return
        self._waits_for = awaited
        awaited._tell(self._go_on)

    def _close(self) -> None:
        """Ends the coroutine without resuming it."""
        self._coroutine.close()

    def _what(self) -> str:
        return f"the task {self.name!r}"

    def __repr__(self) -> str:
        return f"<Task {self.name}, {'ended' if self._done else 'under way'}>"


class Scheduler:
    """The tasks of one run, and the operations, times and workloads for which they wait."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._core = simulation._core
        self._tasks: list[Task[Any]] = []  # tasks that have not ended
        self._ready: deque[Task[Any]] = deque()
        self._operations: list[Operation[Any]] = []
        self._moments: list[tuple[int, int, Callable[[], None]]] = []  # a heap of (time, number, call)
        self._waiting_for_workloads: list[Awaitable[None]] = []
        self._outer: Scheduler | None = None  # the scheduler of the scenario that called play, if any
        self._begun = 0  # number of moments so far; it determines the order of moments with the same time

    @property
    def now(self) -> int:
        return self._core.now

    def play(self, scenarios: Iterable[tuple[Coro[Any], str]]) -> list[Any]:
        """Runs scenarios until they end, cancels the tasks that they have started, and returns the values of the
        scenarios."""
        mains = [self.start(coroutine, name) for coroutine, name in scenarios]
        self._outer = _playing.get()
        token = _playing.set(self)
        try:
            self._reject_nested_play()
            if self._simulation.has_power:
                self._core.run_until(self.now)  # lets the driver bring the controller up before anything else happens
            self._run(lambda: all(task.done for task in mains))
            for task in self._tasks:
                task.cancel()
            self._run(lambda: not self._tasks)
            return [task.result() for task in mains]
        except BaseException as error:
            self._close_all(error)
            raise
        finally:
            _playing.reset(token)

    def start(self, coroutine: Coro[T], name: str) -> Task[T]:
        task = Task(self, coroutine, name)
        self._tasks.append(task)
        self._ready.append(task)
        return task

    def ready(self, task: Task[Any]) -> None:
        self._ready.append(task)

    def operation(self, operation: Operation[T]) -> Operation[T]:
        """Registers a command that has begun."""
        self._operations.append(operation)
        return operation

    def moment(self, at: int, what: str) -> Moment:
        moment = Moment(at, what)
        self._at(at, moment._end)
        return moment

    def workloads_end(self) -> Awaitable[None]:
        end = WorkloadsEnd()
        self._waiting_for_workloads.append(end)
        return end

    # --- running the tasks

    def _reject_nested_play(self) -> None:
        outer = self._outer
        while outer is not None:
            if outer._simulation is self._simulation:
                raise RuntimeError("this simulation is being played already; start() runs a coroutine beside it")
            outer = outer._outer

    def _run(self, finished: Callable[[], bool]) -> None:
        while not finished():
            while self._ready:
                self._step(self._ready.popleft())
            if finished():
                return
            if not self._end_due_waits():
                self._let_time_pass()

    def _step(self, task: Task[Any]) -> None:
        if task.done:
            return
        task._step()
        if task.done:
            self._tasks.remove(task)

    def _end_due_waits(self) -> bool:
        """Ends the waits whose time has come, in the order of their times. Returns whether there were any."""
        now = self.now
        for operation in [one for one in self._operations if one.command.done]:
            self._operations.remove(operation)
            self._at(operation.ends_at(), operation.finish)
        if self._waiting_for_workloads and not self._simulation.workloads_under_way:
            for end in self._waiting_for_workloads:
                self._at(now, end._end)
            self._waiting_for_workloads.clear()
        came = False
        while self._moments and self._moments[0][0] <= now:
            heapq.heappop(self._moments)[2]()
            came = True
        return came

    def _let_time_pass(self) -> None:
        if not (self._moments or self._operations or self._waiting_for_workloads):
            raise Deadlock(f"nothing is under way, but these tasks wait: {self._waiting()}")
        if not self._simulation.has_power:
            raise RequestError(
                f"time stands still while the drive has no power, but these tasks wait: {self._waiting()}; call "
                f"power.on() first, or nand.advance_shelf_time() to age a drive without power"
            )
        self._core.wait_any(self._moments[0][0] if self._moments else NEVER)

    def _at(self, at: int, do: Callable[[], None]) -> None:
        self._begun += 1
        heapq.heappush(self._moments, (at, self._begun, do))

    def _waiting(self) -> str:
        waits = [f"{task.name!r} for {task._waits_for._what()}" for task in self._tasks if task._waits_for is not None]
        return "; ".join(waits)

    def _close_all(self, error: BaseException) -> None:
        """Closes all coroutines, so that they can clean up. If a coroutine raises an exception, the exception is added
        as a note to the error that ended the run."""
        for task in self._tasks:
            try:
                task._close()
            except BaseException as another:
                error.add_note(f"{task._what()} raised {another!r} when closed")
        self._tasks.clear()


class WorkloadsEnd(Awaitable[None]):
    """The end of the configured workloads."""

    def _what(self) -> str:
        return "the end of the workloads"


_playing: ContextVar[Scheduler | None] = ContextVar("nandscape_scenarios", default=None)


def current() -> Scheduler:
    """Returns the scheduler of the scenarios that are being played. Raises RuntimeError outside of a scenario."""
    scheduler = _playing.get()
    if scheduler is None:
        raise RuntimeError("no scenario is being played; call this from a scenario that Simulation.play() runs")
    return scheduler


def start(coroutine: Coro[T], name: str = "") -> Task[T]:
    """Starts a coroutine as a task, concurrently with the calling coroutine, which continues first. The task can be
    awaited and cancelled.

    The task is cancelled when all scenarios have ended. `name`: name of the task in messages; by default, the name of
    the function. Raises TypeError if `coroutine` is not a coroutine, and RuntimeError outside of a scenario.
    """
    if not inspect.iscoroutine(coroutine):
        raise TypeError(f"start() takes a coroutine, which an async function returns, not {type(coroutine).__name__}")
    return current().start(coroutine, name or coroutine.__qualname__.rpartition(".")[2])


def first(*awaitables: Awaitable[Any] | Coro[Any]) -> Awaitable[Any]:
    """Waits until one of several awaitables ends, and returns that awaitable: `if await first(reading, timeout) is
    timeout: ...`.

    If several have already ended, returns the one that is first among the arguments. If the awaitable that ends has
    failed, raises its exception. Coroutines are started as tasks, and cancelled when another argument ends first.
    Commands and tasks among the arguments continue.
    """
    if not awaitables:
        raise TypeError("first() takes at least one awaitable")
    return First(*_parts("first()", awaitables))


def gather(*awaitables: Awaitable[Any] | Coro[Any]) -> Awaitable[list[Any]]:
    """Waits until several awaitables end, and returns the list of their values in the order of the arguments.

    If an awaitable fails, raises its exception at once. Coroutines are started as tasks, and cancelled when another
    argument fails.
    """
    return Gather(*_parts("gather()", awaitables))


def _parts(
    taker: str, awaitables: Iterable[Awaitable[Any] | Coro[Any]]
) -> tuple[list[Awaitable[Any]], list[Task[Any]]]:
    parts: list[Awaitable[Any]] = []
    owned: list[Task[Any]] = []
    for awaitable in awaitables:
        if isinstance(awaitable, Awaitable):
            parts.append(awaitable)
        elif inspect.iscoroutine(awaitable):
            owned.append(start(awaitable))
            parts.append(owned[-1])
        else:
            raise TypeError(f"{taker} takes awaitables of a scenario, not {type(awaitable).__name__}")
    return parts, owned
