# SPDX-License-Identifier: Apache-2.0
"""Reads and writes the files of results: JSON, or numpy's .npz, which also holds the individual requests."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nandscape.errors import InputError
from nandscape.files import replacing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WITH_REQUESTS = ".npz"
SUFFIXES = (".json", WITH_REQUESTS)
# Types of the columns that every result has. Some results have additional columns.
REQUEST_TYPES = {
    "start_ps": "uint64",
    "latency_ps": "uint64",
    "first_lba": "uint64",
    "sectors": "uint32",
    "kind": "uint8",
    "status": "uint8",
    "workload": "uint16",
}
_DOCUMENT = "result_json"
_ZIP = b"PK"
_MOST_BITS = 64


def write(path: str | os.PathLike[str], text: str, requests: dict[str, NDArray[Any]] | None) -> None:
    """Writes a result to a file: an archive with its requests, or JSON if `requests` is None. `text` is the result as
    JSON."""
    with replacing(path) as temporary:
        if requests is None:
            temporary.write_text(text, encoding="utf-8")
            return
        import numpy as np

        document = np.frombuffer(text.encode(), np.uint8)
        with open(temporary, "wb") as file:
            np.savez_compressed(file, allow_pickle=False, **{_DOCUMENT: document}, **requests)


def read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Reads a file and returns the document of the result and its requests. The requests are empty if the file is JSON.
    The format is recognised from the content of the file.

    Raises `InputError` for a file that is not a saved result, and OSError for a file that cannot be read.
    """
    name = os.fsdecode(path)
    with open(name, "rb") as file:
        is_archive = file.read(len(_ZIP)) == _ZIP
    try:
        document, requests = _from_archive(name) if is_archive else (json.loads(Path(name).read_bytes()), no_requests())
    except OSError:
        raise
    except Exception as error:  # zipfile, zlib, json and numpy raise many types of exception for a damaged file
        raise InputError(f"{name}: is not a saved result: {error}") from None
    parts = [document.get(key) if isinstance(document, dict) else None for key in ("configuration", "statistics")]
    if not all(isinstance(part, dict) for part in parts):
        raise InputError(f"{name}: is not a saved result: it lacks 'configuration' or 'statistics'")
    document["statistics"] = _figures(name, "statistics", document["statistics"])
    return document, requests


def no_requests() -> dict[str, NDArray[Any]]:
    """Returns empty columns, for a result without single requests."""
    import numpy as np

    return {name: np.empty(0, kind) for name, kind in REQUEST_TYPES.items()}


def _from_archive(name: str) -> tuple[Any, dict[str, NDArray[Any]]]:
    import numpy as np

    with np.load(name, allow_pickle=False) as archive:
        missing = [column for column in (_DOCUMENT, *REQUEST_TYPES) if column not in archive]
        if missing:
            raise ValueError(f"it lacks {missing[0]!r}")
        requests = {column: _column(column, archive[column]) for column in archive.files if column != _DOCUMENT}
        document = json.loads(archive[_DOCUMENT].tobytes())
    if len({column.size for column in requests.values()}) > 1:
        raise ValueError("its columns of requests differ in length")
    return document, requests


def _column(name: str, kept: NDArray[Any]) -> NDArray[np.generic]:
    wanted = REQUEST_TYPES.get(name, "uint64")  # the default is the type of the columns with parts of latencies
    if kept.dtype != wanted or kept.ndim != 1:
        raise ValueError(f"{name!r} is not a column of {wanted}")
    kept.flags.writeable = False
    return kept


def _figures(file: str, path: str, kept: Any) -> Any:
    """Converts saved figures, or groups of figures, to the form of statistics. JSON has null in place of a figure that
    is not finite; this becomes NaN. Raises `InputError` for anything that is not a figure."""
    if isinstance(kept, dict):
        return {name: _figures(file, f"{path}.{name}", figure) for name, figure in kept.items()}
    if kept is None:
        return math.nan
    if isinstance(kept, int) and not isinstance(kept, bool) and kept.bit_length() > _MOST_BITS:
        raise InputError(f"{file}: {path}: is not a figure: a number of {kept.bit_length()} bits")
    if not isinstance(kept, (bool, int, float, str)):
        raise InputError(f"{file}: {path}: is not a figure: expected a number, got a {type(kept).__name__}")
    return kept
