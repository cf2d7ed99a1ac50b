# SPDX-License-Identifier: Apache-2.0
"""What a run gives."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nandscape import _core, saved_results, unknown
from nandscape.config import Config, of_result
from nandscape.errors import InputError
from nandscape.policies import Policy

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from nandscape.pictures.draw import ResultPictures

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

    `verdict`: whether the measured window shows a steady state: "steady since 4.2 s", or "not steady" and why.

    `stats`: the statistics of the measured window, nested, with units in the names:
    `stats["host"]["read"]["latency_us"]["p99"]`. A figure that too few samples stand behind is NaN; `why_unknown` tells
    why.

    `history`: the same statistics since the drive was new (`Simulation.stats("all")`): they include what the drive did
    before the workloads and after them. Empty in a result that was loaded from a file.

    `requests`: completed requests in the order of completion, as a dict of numpy arrays of one length, read-only and on
    the simulator's own memory. `start_ps`: when it entered its submission queue (open loop: when it arrived), ps.
    `latency_ps`: from then until the driver saw its completion, ps. `first_lba`, `sectors`: in sectors of 512 bytes.
    `kind`, `status`: indices into `nandscape.result.REQUEST_KINDS` and `REQUEST_STATUSES`. `workload`: index of its
    workload, and one past the last for commands given one by one. Empty without `simulation.request_log`. With
    `simulation.breakdown` a column for each of `nandscape.result.LATENCY_PARTS`, `queue_ps` and so on: what the latency
    is made of, to the ps.
    """

    def __init__(
        self,
        config: Config,
        stats: dict[str, Any],
        requests: dict[str, NDArray[Any]],
        partial: bool = False,
        verdict: str = "",
        history: dict[str, Any] | None = None,
    ) -> None:
        self.config = config
        self.partial = partial
        self.verdict = verdict
        self.stats = stats
        self.history = {} if history is None else history
        self.requests = requests

    def why_unknown(self, name: str) -> str | None:
        """Why the statistic of that dotted name is NaN: `why_unknown("host.read.latency_us.p9999")` is "72 samples; the
        99.99 % quantile takes 100,000 samples, of which 10 lie beyond it". None where it is known. Raises KeyError
        where there is no such statistic."""
        return unknown.why(self.stats, name)

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

    @property
    def draw(self) -> ResultPictures:
        """Pictures of this run: `draw.latencies()`, `draw.latency_over_time()`, `draw.utilisation()`,
        `draw.waterfall()`. Each returns a figure of Matplotlib."""
        from nandscape.pictures.draw import ResultPictures

        return ResultPictures(self)

    def to_dict(self) -> dict[str, Any]:
        """Statistics with what it takes to get them again: resolved configuration, seed and versions.

        Of a workload that `nandscape.requests` made there is only what it was.
        """
        return {
            "seed": self.config["simulation.seed"],
            "versions": {"nandscape": _core.__version__, "python": platform.python_version()},
            "configuration": self.config.described(),
            "partial": self.partial,
            "verdict": self.verdict,
            "statistics": self.stats,
        }

    def to_json(self) -> str:
        """The same as JSON; figures that are not finite, such as those that are not known, are null."""
        return _core.to_json(self.to_dict()) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the result to a file, which appears whole or not at all: as JSON, or with its single requests, too, as
        numpy's archive, where `path` ends in .npz. Raises OSError when it cannot be written."""
        saved_results.write(path, self.to_json(), self.requests)

    @classmethod
    def load(cls, path: str | os.PathLike[str], policies: Mapping[str, Policy] | None = None) -> Result:
        """A result that `save` wrote. Of one that was written as JSON, `requests` are empty. Figures that are not
        finite are NaN. Nothing that the file names is run: a plug-in of its configuration is loaded only where
        `nandscape.load(result.config, allow_plugins=True)` allows it.

        `policies`: those of Python that its configuration names, by their paths, as `Config.policies` gives them.

        Raises `InputError` for a file that is no saved result, `ConfigError` when its configuration cannot be used by
        this version, and OSError for a file that cannot be read.
        """
        document, requests = saved_results.read(path)
        for column, meanings in (("kind", REQUEST_KINDS), ("status", REQUEST_STATUSES)):
            if requests[column].size and requests[column].max() >= len(meanings):
                number = requests[column].max()
                raise InputError(f"{os.fsdecode(path)}: is no saved result: {number} is no {column} of a request")
        config = of_result(document["configuration"], (policies or {}).items(), path)
        partial = document.get("partial") is True
        return cls(config, document["statistics"], requests, partial, str(document.get("verdict", "")))

    def __repr__(self) -> str:
        from nandscape.key_figures import value_at

        count, iops = value_at(self.stats, "host.all.count"), value_at(self.stats, "host.iops")
        lost = value_at(self.stats, "controller.power_loss.lost_acknowledged_writes")
        losses = f", {lost:.0f} acknowledged writes lost" if lost > 0 else ""
        return f"<Result {count:.0f} requests, {iops:.0f} IOPS{losses}>"
