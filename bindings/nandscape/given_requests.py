# SPDX-License-Identifier: Apache-2.0
"""Requests that a program supplies as a workload: in arrays, or from an iterator."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Iterator
from typing import Any

from nandscape import _core
from nandscape.errors import InputError
from nandscape.given import GivenRequests
from nandscape.request_columns import COLUMNS, LONGEST, columns_of_table, operation_code, request_columns
from nandscape.result import REQUEST_KINDS
from nandscape.units import TICKS_PER_UNIT


def requests(
    source: Any = None,
    /,
    *,
    time_us: Any = None,
    operation: Any = None,
    offset_bytes: Any = None,
    size_bytes: Any = None,
    fua: Any = None,
    **options: Any,
) -> dict[str, Any]:
    """Returns a workload of requests that the program supplies, in columns or from an iterator.

    A column is anything that numpy converts to an array, or a single value for all requests; arrays have equal length.
    `operation`: names ("read", "write", "trim", "flush", "write_zeroes") or indices into
    `nandscape.result.REQUEST_KINDS`. `offset_bytes`, `size_bytes`: whole sectors of 512 bytes; a flush has size 0.
    `time_us`: issue times from the start of the workload, which do not decrease, in microseconds or as numpy's times
    (dates count from the first one). `fua`: whether a write completes only when it is on flash. `source` may be a
    structured array, a dict of columns or a table of pandas or polars with columns of these names; keywords replace its
    columns. Arrays are copied and checked once.

    `source` may also be an iterable, or a function without arguments that returns one, such as a generator function. It
    yields tuples (operation, offset_bytes, size_bytes), in an open loop (time_us, operation, offset_bytes, size_bytes);
    objects or dicts with these names; or tables of requests as above. The driver pulls an item when it needs one. In a
    closed loop, this is when a slot of the queue is free; in an open loop, when the previous request arrives. The
    iterable may be endless if `requests` or `duration_ms` ends the workload. An exception that it raises ends the run,
    with its traceback. An iterator can be played once; other iterables and functions can be played by any number of
    simulations.

    The options are the keys that `nandscape params host.workload` lists for this kind. With a column `time_us` the
    workload is an open loop unless `pacing` says otherwise. Without it `queue_depth` requests are in flight; an
    iterator that yields times needs `pacing="open"`.

    `run`, `load`, `sweep` and similar functions accept such a workload like any other, but a file cannot hold it.
    Arrays can be sent to other processes, as can iterables and functions that can be pickled; iterators cannot.

    Raises `InputError`, which names the column and the index, for values that no request can have, and TypeError for
    arguments of any other type. A simulation checks whether requests are within its capacity when it receives them.
    """
    keywords = dict(zip(COLUMNS, (time_us, operation, offset_bytes, size_bytes, fua), strict=True))
    columns = {name: values for name, values in keywords.items() if values is not None}
    table = {} if source is None else columns_of_table(source)
    if table is not None:
        arrays = RequestArrays(request_columns(table | columns))
        pacing = {"pacing": "open"} if arrays.columns.time is not None else {}
        return _workload(arrays, pacing | options)
    if columns:
        raise TypeError(f"an iterator yields whole requests; {', '.join(columns)} cannot be given beside it")
    return _workload(RequestIterator(source), options)


def _workload(source: GivenRequests, options: dict[str, Any]) -> dict[str, Any]:
    # With 0, all requests are played, even if this workload replaces one with another number. The options may still set
    # a limit.
    return {"kind": "requests", "source": source, "requests": 0, **options}


class RequestArrays(GivenRequests):
    """Requests that the program supplies as arrays."""

    def __init__(self, columns: _core.RequestColumns) -> None:
        self.columns = columns

    def core(self) -> _core.RequestColumns:
        return self.columns

    def mark(self) -> str:
        digest = hashlib.sha256()
        for values in self._values():
            digest.update(b"-" if values is None else values.tobytes())
        return digest.hexdigest()

    def _values(self) -> tuple[Any, ...]:
        columns = self.columns
        return columns.operation, columns.offset_bytes, columns.size_bytes, columns.time, columns.fua

    def __len__(self) -> int:
        return len(self.columns)

    def __eq__(self, other: object) -> bool:
        return self.mark() == other.mark() if isinstance(other, RequestArrays) else NotImplemented

    def __hash__(self) -> int:
        return hash(len(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_values, self._values()

    def __repr__(self) -> str:
        return f"<{len(self)} requests in arrays>"


def _from_values(*values: Any) -> RequestArrays:
    return RequestArrays(_core.RequestColumns(*values))


class RequestIterator(GivenRequests):
    """Requests that are taken from an iterator while the workload runs."""

    def __init__(self, source: Any) -> None:
        if isinstance(source, (str, bytes)) or not (callable(source) or hasattr(source, "__iter__")):
            raise TypeError(
                f"requests must be columns, an iterable of requests, or a function that returns one, not "
                f"{type(source).__name__}; trace() reads files"
            )
        self._source = source
        self._begun = False

    def core(self) -> Callable[[bool], Callable[[], Any]]:
        return self._begin

    def mark(self) -> str:
        raise InputError(f"a file cannot record which requests {self!r} gives; give arrays, or use no file")

    def _begin(self, timed: bool) -> Callable[[], Any]:
        if self._once() and self._begun:
            raise InputError(
                f"requests: the iterator {self._name()} has been played already; give a function that returns a new "
                f"one, such as the generator function itself, to play it again"
            )
        self._begun = True
        return _Puller(iter(self._source() if callable(self._source) else self._source), timed)

    def _once(self) -> bool:
        return isinstance(self._source, Iterator)

    def _name(self) -> str:
        return getattr(self._source, "__qualname__", type(self._source).__name__)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._once():
            raise InputError(
                f"requests: the iterator {self._name()} cannot be sent to another process or copied; give arrays, or "
                f"a function at the top of a module that returns the iterator"
            )
        return RequestIterator, (self._source,)

    def __repr__(self) -> str:
        return f"<requests of {self._name()}>"


_CODES = {name: code for code, name in enumerate(REQUEST_KINDS)}
_MOST = 2**64


class _Puller:
    """A callable that returns the next item of an iterator in the form that the extension module accepts, and None at
    the end."""

    def __init__(self, iterator: Iterator[Any], timed: bool) -> None:
        self._iterator = iterator
        self._timed = timed
        self._number = 0  # index of the request being pulled, for error messages

    def __call__(self) -> Any:
        for item in self._iterator:
            if (plain := self._plain(item)) is not None:
                self._number += 1
                return plain
            try:
                return self._converted(item)
            except InputError:
                raise
            except Exception as error:
                error.add_note(f"raised while request {self._number} of the workload's iterator was read")
                raise
        return None

    def _converted(self, item: Any) -> Any:
        """Converts an item that is a batch, or a request of any type."""
        if (batch := self._batch(item)) is not None:
            self._number += len(batch)
            return batch
        given = self._request(item)
        self._number += 1
        return given

    def _plain(self, item: Any) -> tuple[int, int, int, bool, int] | None:
        """Converts a request that is a tuple of a name and ints, which is the fast path. Returns None for any other
        item."""
        if type(item) is not tuple or len(item) != 3 + self._timed:
            return None
        operation, offset, size = item[-3:]
        code = _CODES.get(operation) if type(operation) is str else None
        if code is None or type(offset) is not int or type(size) is not int:
            return None
        if not (0 <= offset < _MOST and 0 <= size < _MOST):
            return None
        return code, offset, size, False, self._time(item[0]) if self._timed else 0

    def _batch(self, item: Any) -> _core.RequestColumns | None:
        if isinstance(item, tuple):
            return None
        columns = columns_of_table(item)
        if not columns or not any(_is_column(values) for values in columns.values()):
            return None
        if self._timed and "time_us" not in columns:
            raise InputError(f"requests: the batch from request {self._number} on has no time_us; pacing open needs it")
        return request_columns(columns)

    def _request(self, item: Any) -> tuple[int, int, int, bool, int]:
        time, operation, offset, size, fua = self._fields(item)
        try:
            code = operation_code(operation)
        except ValueError as error:
            raise InputError(f"requests: operation of request {self._number} {error}") from None
        return code, self._bytes("offset_bytes", offset), self._bytes("size_bytes", size), bool(fua), self._time(time)

    def _fields(self, item: Any) -> tuple[Any, Any, Any, Any, Any]:
        if isinstance(item, (tuple, list)) and not hasattr(item, "_fields"):
            if len(item) != 3 + self._timed:
                names = ", ".join(COLUMNS[0 if self._timed else 1 : 4])
                raise InputError(f"requests: request {self._number} is a tuple of {len(item)}; it must be ({names})")
            return (item[0] if self._timed else 0, *item[-3:], False)
        if columns_of_table(item) is not None:
            fields = {name: item[name] for name in COLUMNS if name in (item.dtype.names if _is_row(item) else item)}
        else:
            fields = {name: getattr(item, name) for name in COLUMNS if hasattr(item, name)}
        needed = COLUMNS[0 if self._timed else 1 : 4]
        missing = [name for name in needed if name not in fields]
        if missing:
            raise InputError(
                f"requests: request {self._number}, of type {type(item).__name__}, has no {', '.join(missing)}; it "
                f"must be a tuple ({', '.join(needed)}) or have them as attributes"
            )
        time = fields["time_us"] if self._timed else 0
        return time, fields["operation"], fields["offset_bytes"], fields["size_bytes"], fields.get("fua", False)

    def _bytes(self, name: str, given: Any) -> int:
        try:
            number = operator.index(given)
        except TypeError:
            raise InputError(f"requests: {name} of request {self._number} is {given!r}, not a whole number") from None
        if not 0 <= number < _MOST:
            raise InputError(f"requests: {name} of request {self._number} is {number}; it must be from 0 to 2^64 - 1")
        return number

    def _time(self, given: Any) -> int:
        try:
            ticks = round(given * TICKS_PER_UNIT["us"])
        except (TypeError, ValueError, OverflowError):
            ticks = -1
        if not 0 <= ticks < LONGEST:
            raise InputError(
                f"requests: time_us of request {self._number} is {given!r}; it must be a number of microseconds, from "
                f"0 to 106 days"
            )
        return ticks


def _is_row(item: Any) -> bool:
    return getattr(item, "dtype", None) is not None


def _is_column(values: Any) -> bool:
    return not isinstance(values, (str, bytes)) and (hasattr(values, "__len__") or getattr(values, "ndim", 0) > 0)
