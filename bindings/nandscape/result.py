# SPDX-License-Identifier: Apache-2.0
"""What a run gives."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nandscape import _core
from nandscape.config import Config
from nandscape.errors import InputError
from nandscape.files import replacing

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

REQUEST_KINDS = ("read", "write", "flush", "trim", "write_zeroes")
REQUEST_STATUSES = (
    "ok",
    "unrecovered_read_error",
    "write_fault",
    "refused",
    "write_protected",
    "aborted",
    "power_lost",
)

# Where the time of a request may go, in the order in which a read meets it; docs/breakdown.md says what each is.
LATENCY_PARTS = (
    "queue",
    "link",
    "firmware",
    "cache",
    "die",
    "channel",
    "array",
    "transfer",
    "ecc",
    "retries",
    "collection",
)


class Result:
    """Statistics, single requests and configuration of a run; made by `run`.

    `config`: the configuration that gave it, with every key resolved.

    `partial`: whether the run was ended before its workloads had come to their end.

    `stats`: the statistics, nested, with units in the names: `stats["host"]["read"]["latency_us"]["p99"]`.

    `requests`: completed requests in the order of completion, as a dict of numpy arrays of one length, read-only and on
    the simulator's own memory. `start_ps`: when it entered its submission queue (open loop: when it arrived), ps.
    `latency_ps`: from then until the driver saw its completion, ps. `first_lba`, `sectors`: in sectors of 512 bytes.
    `kind`, `status`: indices into `nandscape.result.REQUEST_KINDS` and `REQUEST_STATUSES`. `workload`: index of its
    workload, and one past the last for commands given one by one. Empty without `simulation.request_log`. With
    `simulation.breakdown` a column for each of `nandscape.result.LATENCY_PARTS`, `queue_ps` and so on: what the latency
    is made of, to the ps.
    """

    def __init__(
        self, config: Config, stats: dict[str, Any], requests: dict[str, NDArray[Any]], partial: bool = False
    ) -> None:
        self.config = config
        self.partial = partial
        self.stats = stats
        self.requests = requests

    def latencies(self, kind: str | None = None) -> NDArray[np.float64]:
        """Latencies in microseconds, in the order of completion: of one kind of request ("read", "write", "flush",
        "trim", "write_zeroes"), or of all. Raises ValueError for another kind."""
        latency = self.requests["latency_ps"]
        if kind is not None:
            if kind not in REQUEST_KINDS:
                raise ValueError(f"{kind!r} is no kind of request; the kinds are {', '.join(REQUEST_KINDS)}")
            latency = latency[self.requests["kind"] == REQUEST_KINDS.index(kind)]
        return latency * 1e-6

    def to_frame(self) -> pd.DataFrame:
        """The requests as a pandas table, times in microseconds, kinds and statuses by name.

        Raises ImportError where pandas is not installed."""
        try:
            import pandas as pd
        except ModuleNotFoundError as missing:
            raise ImportError(
                "to_frame() needs pandas, which is not installed: pip install 'nandscape[sweep]'"
            ) from missing
        columns = self.requests
        parts = {f"{part}_us": columns[f"{part}_ps"] * 1e-6 for part in LATENCY_PARTS if f"{part}_ps" in columns}
        return pd.DataFrame(
            {
                "start_us": columns["start_ps"] * 1e-6,
                "latency_us": columns["latency_ps"] * 1e-6,
                "first_lba": columns["first_lba"],
                "sectors": columns["sectors"],
                "kind": pd.Categorical.from_codes(columns["kind"], REQUEST_KINDS),
                "status": pd.Categorical.from_codes(columns["status"], REQUEST_STATUSES),
                "workload": columns["workload"],
                **parts,
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Statistics with what it takes to get them again: resolved configuration, seed and versions."""
        return {
            "seed": self.config["simulation.seed"],
            "versions": {"nandscape": _core.__version__, "python": platform.python_version()},
            "configuration": self.config.to_dict(),
            "partial": self.partial,
            "statistics": self.stats,
        }

    def to_json(self) -> str:
        """The same as JSON; figures that are not finite are null."""
        return _core.to_json(self.to_dict()) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON to a file, which appears whole or not at all. Raises OSError when it cannot be written."""
        with replacing(path) as temporary:
            temporary.write_text(self.to_json(), encoding="utf-8")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """A result that `save` wrote. Its `requests` are empty: a file holds no single requests.

        Raises `InputError` for a file that is no saved result, `ConfigError` when its configuration cannot be used by
        this version, and OSError for a file that cannot be read.
        """
        name = os.fspath(path)
        try:
            saved = json.loads(Path(name).read_text(encoding="utf-8"))
        except ValueError as error:
            raise InputError(f"{name}: is no saved result: {error}") from None
        parts = [saved.get(key) if isinstance(saved, dict) else None for key in ("configuration", "statistics")]
        if not all(isinstance(part, dict) for part in parts):
            raise InputError(f"{name}: is no saved result: it lacks 'configuration' or 'statistics'")
        configuration, stats = parts
        partial = saved.get("partial") is True
        return cls(Config(_core.resolve_configuration(configuration, []), name), stats, _no_requests(), partial)

    def __repr__(self) -> str:
        host = self.stats["host"]
        return f"<Result {host['all']['count']} requests, {host['iops']:.0f} IOPS>"


def _no_requests() -> dict[str, NDArray[Any]]:
    import numpy as np

    types = {
        "start_ps": np.uint64,
        "latency_ps": np.uint64,
        "first_lba": np.uint64,
        "sectors": np.uint32,
        "kind": np.uint8,
        "status": np.uint8,
        "workload": np.uint16,
    }
    return {name: np.empty(0, dtype) for name, dtype in types.items()}
