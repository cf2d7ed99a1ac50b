# SPDX-License-Identifier: Apache-2.0
"""Converts columns of requests from anything that numpy accepts as an array. Errors name the column and the index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nandscape import _core
from nandscape.errors import InputError
from nandscape.result import REQUEST_KINDS
from nandscape.units import TICKS_PER_UNIT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COLUMNS = ("time_us", "operation", "offset_bytes", "size_bytes", "fua")
LONGEST = 2**63  # the number of ticks that a run can last

_REQUIRED = ("operation", "offset_bytes", "size_bytes")
_CODES = {name: code for code, name in enumerate(REQUEST_KINDS)}
_FLUSH = _CODES["flush"]


def columns_of_table(table: Any) -> dict[str, Any] | None:
    """Returns the columns of a structured array, of a mapping, or of a table of pandas or polars. Returns None for
    anything else."""
    names = getattr(getattr(table, "dtype", None), "names", None)
    if names is None and isinstance(table, Mapping):
        names = table.keys()
    if names is None and hasattr(table, "__getitem__"):
        names = getattr(table, "columns", None)
    if names is None:
        return None
    return {name: table[name] for name in COLUMNS if name in names}


def request_columns(given: Mapping[str, Any]) -> _core.RequestColumns:
    """Converts columns, given by name, to requests. A single value in place of a column applies to all requests.

    Raises `InputError` for values that no request can have, and TypeError for columns of any other type.
    """
    import numpy as np

    missing = [name for name in _REQUIRED if name not in given]
    if missing:
        raise TypeError(f"requests lack {', '.join(missing)}; they have {', '.join(given) or 'no column'}")
    arrays = {name: np.asarray(values) for name, values in given.items()}
    for name, array in arrays.items():
        if array.ndim > 1:
            raise TypeError(f"{name} is an array of shape {array.shape}; a column has one dimension")
    lengths = {name: len(array) for name, array in arrays.items() if array.ndim == 1}
    if not lengths:
        raise TypeError("requests have no array among their columns; at least one must be, to tell their number")
    first, size = next(iter(lengths.items()))
    for name, length in lengths.items():
        if length != size:
            raise InputError(f"requests: {name} has {length} values and {first} has {size}; columns have equal length")

    def column(name: str, values: NDArray[Any]) -> NDArray[Any]:
        return values if name in lengths else np.full(size, values[0])

    operation = column("operation", _operations(np.atleast_1d(arrays["operation"])))
    sizes = column("size_bytes", whole_numbers("size_bytes", np.atleast_1d(arrays["size_bytes"])))
    if "size_bytes" not in lengths:
        sizes[operation == _FLUSH] = 0  # a flush has no size; the single value applies to all other requests
    time = _times(column("time_us", np.atleast_1d(arrays["time_us"]))) if "time_us" in arrays else None
    fua = column("fua", _flags(np.atleast_1d(arrays["fua"]))) if "fua" in arrays else None
    if fua is not None and "fua" not in lengths:
        fua = fua * (operation == _CODES["write"]).astype(np.uint8)
    offsets = column("offset_bytes", whole_numbers("offset_bytes", np.atleast_1d(arrays["offset_bytes"])))
    return _core.RequestColumns(operation, offsets, sizes, time, fua)


def operation_code(name: Any) -> int:
    """Returns the number of an operation that is given by number or by name. Raises ValueError for anything else."""
    code = _CODES.get(name.lower()) if isinstance(name, str) else None
    if code is None and not isinstance(name, (str, bytes, bool)):
        try:
            code = int(name) if int(name) == name and 0 <= name < len(REQUEST_KINDS) else None
        except (TypeError, ValueError):
            code = None
    if code is None:
        raise ValueError(f"is {_shown(name)}; operations are {', '.join(REQUEST_KINDS)}")
    return code


def whole_numbers(name: str, array: NDArray[Any]) -> NDArray[np.uint64]:
    """Converts a column of offsets or sizes in bytes to uint64. Raises `InputError` or TypeError unless all values are
    integers of at least 0."""
    import numpy as np

    if array.dtype.kind == "u":
        return array.astype(np.uint64)
    if array.dtype.kind == "O":
        array = _numbers_of_objects(name, array)
    if array.dtype.kind == "f":
        _check(name, array, ~(array == np.floor(array)) | ~(array < 2.0**63), "it must be a whole number")
    elif array.dtype.kind not in "iu":
        raise TypeError(f"{name} has values of type {array.dtype}; they must be whole numbers")
    _check(name, array, array < 0, "it must be 0 or more")
    return array.astype(np.uint64)


def _operations(array: NDArray[Any]) -> NDArray[np.uint8]:
    import numpy as np

    if array.dtype.kind in "iu":
        _check("operation", array, (array < 0) | (array >= len(REQUEST_KINDS)), _operations_are())
        return array.astype(np.uint8)
    if array.dtype.kind == "S":
        array = array.astype(np.str_)
    if array.dtype.kind not in "UTO":
        raise TypeError(f"operation has values of type {array.dtype}; expected names: {', '.join(REQUEST_KINDS)}")
    codes = np.full(len(array), len(REQUEST_KINDS), dtype=np.uint8)
    for name, code in _CODES.items():
        codes[(array == name) | (array == name.upper())] = code
    _check("operation", array, codes == len(REQUEST_KINDS), _operations_are())
    return codes


def _operations_are() -> str:
    return f"operations are {', '.join(REQUEST_KINDS)}"


def _times(array: NDArray[Any]) -> NDArray[np.uint64]:
    """Converts a column of times to ticks. The times are numbers of microseconds, or numpy's times."""
    import numpy as np

    if array.dtype.kind in "mM":
        _check("time_us", array, np.isnat(array), "each request needs a time")
        if array.dtype.kind == "M":
            array = array - array[:1]
        array = array / np.timedelta64(1, "us")
    if array.dtype.kind == "O":
        array = _numbers_of_objects("time_us", array)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"time_us has values of type {array.dtype}; they must be numbers of microseconds")
    _check("time_us", array, ~(array >= 0), "times count from 0, the start of the workload")
    per_us = TICKS_PER_UNIT["us"]
    _check("time_us", array, ~(array < LONGEST // per_us), "a run lasts 106 days at most")
    if array.dtype.kind == "f":
        return np.rint(array.astype(np.float64) * per_us).astype(np.uint64)
    return array.astype(np.uint64) * np.uint64(per_us)


def _flags(array: NDArray[Any]) -> NDArray[np.uint8]:
    import numpy as np

    if array.dtype.kind != "b":
        raise TypeError(f"fua has values of type {array.dtype}; they must be bools")
    return array.astype(np.uint8)


def _numbers_of_objects(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Converts an array of objects to numbers. pandas makes such arrays from columns with missing values."""
    import numpy as np

    for index, value in enumerate(array):
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise TypeError(f"{name}[{index}] is {_shown(value)}, which is not a number")
    return array.astype(np.float64) if any(isinstance(value, float) for value in array) else _integers(name, array)


def _integers(name: str, array: NDArray[Any]) -> NDArray[np.int64]:
    import numpy as np

    for index, value in enumerate(array):
        if not -(2**63) <= value < 2**63:
            raise InputError(f"requests: {name}[{index}] does not fit a signed integer of 64 bits")
    return array.astype(np.int64)


def _check(name: str, array: NDArray[Any], wrong: NDArray[np.bool_], rule: str) -> None:
    if not wrong.any():
        return
    index = int(wrong.argmax())
    raise InputError(f"requests: {name}[{index}] is {_shown(array[index])}; {rule}")


def _shown(value: Any) -> str:
    text = ascii(value.item() if hasattr(value, "item") else value)
    return text if len(text) <= 60 else text[:60] + "..."
