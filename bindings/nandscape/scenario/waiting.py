# SPDX-License-Identifier: Apache-2.0
"""Awaitables: the objects for which a task can wait."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Heard = Callable[[], None]


class Cancelled(BaseException):
    """Raised in a cancelled task at the point where it waits. Code that catches this exception to clean up must raise
    it again."""


class Awaitable(Generic[T]):
    """Something that ends once, with a value or an error. Any number of tasks may await it, before and after
    its end."""

    def __init__(self) -> None:
        self._heard_by: list[Heard] = []
        self._done = False
        self._value: Any = None
        self._error: BaseException | None = None

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self._done

    def result(self) -> T:
        """Returns the value, or raises the error with which it failed. Raises RuntimeError if it has not ended yet."""
        if not self._done:
            raise RuntimeError(f"{self._what()} has not ended yet; await it")
        if self._error is not None:
            raise self._error
        return self._value

    def __await__(self) -> Generator[Awaitable[Any], None, T]:
        if not self._done:
            yield self
        return self.result()

    def _what(self) -> str:
        """Returns the name of the awaitable, for messages."""
        return type(self).__name__.lower()

    def _end(self, value: Any = None, error: BaseException | None = None) -> None:
        self._done, self._value, self._error = True, value, error
        heard_by, self._heard_by = self._heard_by, []
        for heard in heard_by:
            heard()

    def _tell(self, heard: Heard) -> None:
        """Registers a function that is called at the end, after the functions that were registered before."""
        self._heard_by.append(heard)

    def _forget(self, heard: Heard) -> None:
        """Removes a registered function. Calls `_abandoned` if no registered function is left."""
        if heard in self._heard_by:
            self._heard_by.remove(heard)
            if not self._heard_by:
                self._abandoned()

    def _abandoned(self) -> None:
        """Called when no task waits for this object any longer. Subclasses may override it."""


class Event(Awaitable[Any]):
    """A signal between scenarios: `event.set(value)` sets it, and `await event` returns the value."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.name = name

    def set(self, value: Any = None) -> None:
        """Sets the event permanently, which ends all waits for it. Raises RuntimeError if the event is already set."""
        if self._done:
            raise RuntimeError(f"{self._what()} is set already; create another event for the next time")
        self._end(value)

    def _what(self) -> str:
        return f"the event {self.name!r}" if self.name else "an event"

    def __repr__(self) -> str:
        return f"<Event {self.name or 'without a name'}, {'set' if self._done else 'not set'}>"


class Moment(Awaitable[None]):
    """A point in simulated time, in ticks."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__()
        self.at = at
        self._text = what

    def _what(self) -> str:
        return self._text


class First(Awaitable[Awaitable[Any]]):
    """Ends when the first of its parts ends. Its value is that part; if the part has failed, it fails with the error of
    the part. `owned`: the tasks that are cancelled at the end."""

    def __init__(self, parts: Sequence[Awaitable[Any]], owned: Sequence[Any]) -> None:
        super().__init__()
        self._parts = parts
        self._owned = owned
        self._hearing = [(part, self._hearer(part)) for part in parts]
        for part, heard in self._hearing:
            if not self._done:
                heard() if part.done else part._tell(heard)

    def _hearer(self, part: Awaitable[Any]) -> Heard:
        return lambda: self._ended(part)

    def _ended(self, part: Awaitable[Any]) -> None:
        if self._done:
            return
        for other, heard in self._hearing:
            if other is not part:
                other._forget(heard)
        _cancel(self._owned)
        self._end(part, part._error)

    def _abandoned(self) -> None:
        _cancel(self._owned)

    def _what(self) -> str:
        return f"the first of {_list(self._parts)}"


class Gather(Awaitable[list[Any]]):
    """Ends with the values of all parts in order, or fails with the error of the first part that fails. `owned`: the
    tasks that are cancelled at the end."""

    def __init__(self, parts: Sequence[Awaitable[Any]], owned: Sequence[Any]) -> None:
        super().__init__()
        self._parts = parts
        self._owned = owned
        for part in parts:
            if not part.done:
                part._tell(self._look)
        self._look()

    def _look(self) -> None:
        if self._done:
            return
        failed = next((part for part in self._parts if part._error is not None), None)
        if failed is not None:
            for part in self._parts:
                part._forget(self._look)
            _cancel(self._owned)
            self._end(None, failed._error)
        elif all(part.done for part in self._parts):
            self._end([part.result() for part in self._parts])

    def _abandoned(self) -> None:
        _cancel(self._owned)

    def _what(self) -> str:
        return f"all of {_list([part for part in self._parts if not part.done])}"


def _cancel(tasks: Sequence[Any]) -> None:
    for task in tasks:
        task.cancel()


def _list(parts: Sequence[Awaitable[Any]]) -> str:
    return ", ".join(part._what() for part in parts)
