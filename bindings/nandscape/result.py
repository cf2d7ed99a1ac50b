# SPDX-License-Identifier: Apache-2.0
"""The result of a run."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nandscape import _core, saved_results, unknown
from nandscape.config import Config, of_result
from nandscape.dotted import value_of
from nandscape.errors import Error, InputError
from nandscape.exploration.requirements import required
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

# Parts of a request's latency, in the order in which a read passes through them; docs/breakdown.md describes them.
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

    `config`: the configuration of the run, with every key resolved.

    `partial`: whether the run was stopped before its workloads ended.

    `verdict`: whether the measured window shows a steady state: "steady since 4.2 s", or "not steady" and why.

    `stats`: the statistics of the measured window, nested, with units in the names:
    `stats["host"]["read"]["latency_us"]["p99"]`. A figure with too few samples is NaN; `why_unknown` gives the reason.

    `history`: the same statistics since the drive was new (`Simulation.stats("all")`), which include the work of the
    drive before and after the workloads. Empty in a result that was loaded from a file.
    """

    def __init__(
        self,
        config: Config,
        stats: dict[str, Any],
        requests: _core.RequestLog | dict[str, NDArray[Any]],
        partial: bool = False,
        verdict: str = "",
        history: dict[str, Any] | None = None,
    ) -> None:
        self.config = config
        self.partial = partial
        self.verdict = verdict
        self.stats = stats
        self.history = {} if history is None else history
        self._requests = requests

    @property
    def requests(self) -> dict[str, NDArray[Any]]:
        """The completed requests in the order of completion, as a dict of numpy arrays of equal length, which are
        read-only views of the simulator's memory.

        `start_ps`: time in ps at which a request entered its submission queue or, in an open loop, arrived.
        `latency_ps`: time in ps from then until the driver saw its completion. `first_lba`, `sectors`: in sectors of
        512 bytes. `kind`, `status`: indices into `nandscape.result.REQUEST_KINDS` and `REQUEST_STATUSES`. `workload`:
        index of its workload; commands issued one by one have the index after the last workload. The arrays are empty
        without `simulation.request_log`. With `simulation.breakdown` there is a column for each of
        `nandscape.result.LATENCY_PARTS`, `queue_ps` and so on; the parts add up to the latency exactly.
        """
        if isinstance(self._requests, _core.RequestLog):
            self._requests = _columns(self._requests, parts=self.config["simulation.breakdown"])
        return self._requests

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_requests": self.requests}

    def __getitem__(self, name: str) -> Any:
        """Returns the statistic, or the group of statistics, of that dotted name, as the metrics of a sweep name them:
        `result["host.read.latency_us.p99"]`. The KeyError for an unknown name tells the most similar one."""
        return value_of(self.stats, name, "statistic")

    def why_unknown(self, name: str) -> str | None:
        """Returns the reason why the statistic of that dotted name is NaN: `why_unknown("host.read.latency_us.p9999")`
        is "72 samples; the 99.99 % quantile takes 100,000 samples, of which 10 lie beyond it". Returns None if the
        statistic is known. Raises KeyError if there is no such statistic."""
        return unknown.why(self.stats, name)

    def latencies(self, kind: str | None = None) -> NDArray[np.float64]:
        """Returns latencies in microseconds in the order of completion, either of one kind of request ("read", "write",
        "flush", "trim", "write_zeroes") or of all requests. Raises ValueError for any other kind."""
        latency = self.requests["latency_ps"]
        if kind is not None:
            if kind not in REQUEST_KINDS:
                raise ValueError(f"{kind!r} is not a kind of request; the kinds are {', '.join(REQUEST_KINDS)}")
            latency = latency[self.requests["kind"] == REQUEST_KINDS.index(kind)]
        return latency * 1e-6

    def to_frame(self) -> pd.DataFrame:
        """Returns the requests as a pandas table, with times in microseconds, and kinds and statuses by name.

        Raises ImportError if pandas is not installed."""
        pd = required("pandas", "sweep", "to_frame()")
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
        """Returns the statistics, together with the resolved configuration, the seed and the versions that are needed
        to reproduce them.

        A workload that `nandscape.requests` made appears only as a description.
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
        """Returns `to_dict` as JSON. Figures that are not finite, which includes unknown figures, are null."""
        return _core.to_json(self.to_dict()) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the result to a file, completely or not at all. If `path` ends in .npz, the file is a numpy archive
        with the single requests; if it ends in .json, it is JSON without them.

        Raises `Error` for another ending, and OSError if the file cannot be written."""
        suffix = Path(os.fsdecode(path)).suffix
        if suffix not in saved_results.SUFFIXES:
            raise Error(
                f"{os.fsdecode(path)}: a result is written as {' or '.join(saved_results.SUFFIXES)}; "
                "`to_frame().to_csv(path)` writes its requests as text"
            )
        saved_results.write(path, self.to_json(), self.requests if suffix == saved_results.WITH_REQUESTS else None)

    @classmethod
    def load(cls, path: str | os.PathLike[str], policies: Mapping[str, Policy] | None = None) -> Result:
        """Reads a result that `save` has written. `requests` is empty if the file is JSON. Figures that are not finite
        are NaN. Loading runs no code that the file names: a plug-in of the result's configuration is loaded only by
        `nandscape.load(result.config, allow_plugins=True)`.

        `policies`: the policies written in Python that its configuration names, by the paths of their keys, as
        `Config.policies` returns them.

        Raises `InputError` for a file that is not a saved result, `ConfigError` if this version cannot use its
        configuration, and OSError for a file that cannot be read.
        """
        document, requests = saved_results.read(path)
        for column, meanings in (("kind", REQUEST_KINDS), ("status", REQUEST_STATUSES)):
            if requests[column].size and requests[column].max() >= len(meanings):
                number = requests[column].max()
                raise InputError(f"{os.fsdecode(path)}: is not a saved result: {number} is not a {column} of a request")
        config = of_result(document["configuration"], (policies or {}).items(), path)
        partial = document.get("partial") is True
        return cls(config, document["statistics"], requests, partial, str(document.get("verdict", "")))

    def __repr__(self) -> str:
        from nandscape.key_figures import value_at

        count, iops = value_at(self.stats, "host.all.count"), value_at(self.stats, "host.iops")
        lost = value_at(self.stats, "controller.power_loss.lost_acknowledged_writes")
        losses = f", {lost:.0f} acknowledged writes lost" if lost > 0 else ""
        return f"<Result {count:.0f} requests, {iops:.0f} IOPS{losses}>"


def _columns(log: _core.RequestLog, *, parts: bool) -> dict[str, NDArray[Any]]:
    """Returns the columns of the log. `parts`: with the parts of the latencies."""
    columns: dict[str, NDArray[Any]] = {
        "start_ps": log.start,
        "latency_ps": log.latency,
        "first_lba": log.first_lba,
        "sectors": log.sectors,
        "kind": log.kind,
        "status": log.status,
        "workload": log.workload,
    }
    return columns | ({f"{part}_ps": column for part, column in log.parts.items()} if parts else {})
