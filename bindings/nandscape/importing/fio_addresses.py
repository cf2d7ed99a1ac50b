# SPDX-License-Identifier: Apache-2.0
"""The requests of a fio job: their directions, sizes and addresses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from nandscape.importing.fio_job_file import Job, Option
from nandscape.importing.imported import Imported

DIRECTIONS = ("read", "write", "trim")
# For each value of `rw`: whether the addresses are random, and the direction of the requests.
TYPES = {
    "read": (False, "read"),
    "write": (False, "write"),
    "trim": (False, "trim"),
    "randread": (True, "read"),
    "randwrite": (True, "write"),
    "randtrim": (True, "trim"),
    "rw": (False, "mixed"),
    "readwrite": (False, "mixed"),
    "randrw": (True, "mixed"),
}
SECTOR_BYTES = 512
STANDARD_BYTES = 4096
WHOLE_BUFFER_PERCENT = 100


@dataclass(frozen=True)
class Mix:
    """The shares of a job's requests that read, write and trim, and whether the addresses are random."""

    shares: tuple[Fraction, ...]
    random: bool

    def keys(self) -> dict[str, Any]:
        """Returns the shares as keys of a workload."""
        trims = {"trim_percent": 100} if self.shares[2] else {}
        return {"read_percent": float(100 * self.shares[0])} | trims


def direction_mix(job: Job) -> Mix:
    """Returns the mix that `rw`, `rwmixread` and `rwmixwrite` define. Raises `InputError` for a value of `rw` that has
    no counterpart."""
    option = job.find("rw")
    reads, writes = job.find("rwmixread"), job.find("rwmixwrite")
    text = option.value.lower() if option is not None else "read"
    if option is not None and text not in TYPES:
        if ":" in text:
            raise option.error("offsets between requests have no counterpart; remove the colon and the offset")
        raise option.error(f"expected one of {', '.join(TYPES)}; trims before writes have no counterpart")
    random, directions = TYPES[text]
    if directions != "mixed":
        return Mix(tuple(Fraction(int(each == directions)) for each in DIRECTIONS), random)
    share = Fraction(1, 2)
    if reads is not None:
        share = _percent(reads)
    elif writes is not None:
        share = 1 - _percent(writes)
    return Mix((share, 1 - share, Fraction(0)), random)


def pattern(imported: Imported, job: Job, mix: Mix) -> dict[str, Any]:
    """Returns the keys of a workload that determine the addresses of its requests."""
    percentage, distribution = job.find("percentage_random"), job.find("random_distribution")
    random_map = not job.is_set("norandommap")
    if not mix.random:
        return {"pattern": "sequential"}
    if percentage is not None and percentage.value != "100":
        raise percentage.error("a workload is random or sequential here; write 100, or a sequential rw")
    kind, *arguments = distribution.value.split(":") if distribution is not None else ["random"]
    if kind == "random" and not arguments:
        if random_map:
            imported.remarks.append(
                job.option.remark("addresses are drawn independently; fio visits each block once before it repeats any")
            )
        return {"pattern": "uniform"}
    assert distribution is not None
    if kind == "zipf" and len(arguments) <= 1:
        theta = distribution.with_value(arguments[0]).number() if arguments else 1.1
        return {"pattern": "zipf", "zipf_theta": theta, "zipf_scatter": True}
    if kind == "zoned" and len(arguments) == 2:
        return _two_zones(distribution, arguments)
    raise distribution.error("expected random, zipf, zipf:THETA, or zoned with two zones; others have no counterpart")


def _two_zones(option: Option, zones: list[str]) -> dict[str, Any]:
    parts = [option.with_value(text) for zone in zones for text in zone.split("/")]
    if len(parts) != 4:
        raise option.error("expected zoned:ACCESSES/SPACE:ACCESSES/SPACE, in percent")
    accesses, space, other_accesses, other_space = (part.number() for part in parts)
    if accesses + other_accesses != 100 or space + other_space != 100:
        raise option.error("expected accesses and space that each add up to 100 percent")
    return {"pattern": "hot_cold", "hot_space_percent": space, "hot_access_percent": accesses}


def sizes(job: Job, mix: Mix, base: int) -> tuple[Fraction, dict[str, Any]]:
    """Returns the mean size of the requests in bytes, and the keys of a workload that determine their sizes."""
    block, split, spread = job.find("bs"), job.find("bssplit"), job.find("bsrange")
    align = job.find("ba")
    if spread is not None:
        raise spread.error("sizes drawn from a range have no counterpart; write a bssplit")
    if split is not None:
        mean, keys = _split_sizes(_of_directions(split, mix, ","), base)
    else:
        option = _of_directions(block, mix, ",") if block is not None else None
        bytes_each = option.amount(base) if option is not None else STANDARD_BYTES
        if option is not None:
            _require_sectors(option, bytes_each)
        mean, keys = Fraction(bytes_each), {"block_bytes": bytes_each}
    if align is not None:
        keys["alignment_bytes"] = _of_directions(align, mix, ",").amount(base)
    return mean, keys


def _of_directions(option: Option, mix: Mix, separator: str) -> Option:
    """Returns the option with the value that applies to the directions of the job. The option's own value is a list for
    reads, writes and trims, in which a missing value repeats the value before it. Raises `InputError` if the directions
    have different values."""
    parts = [part.strip() for part in option.value.split(separator)]
    values = {
        next((part for part in reversed(parts[: k + 1]) if part), "") for k, share in enumerate(mix.shares) if share > 0
    }
    if len(values) > 1:
        raise option.error("reads and writes of one workload have the same sizes here; split it into two jobs")
    return option.with_value(values.pop())


def _split_sizes(option: Option, base: int) -> tuple[Fraction, dict[str, Any]]:
    """Parses a string such as "4k/60:64k/40", which lists sizes with their shares in percent. Sizes without a share
    divide the remaining percentage equally. Returns the mean size and the keys of a workload."""
    entries = [entry.partition("/") for entry in option.value.split(":")]
    given = [option.with_value(share).whole() if share else None for _, _, share in entries]
    open_shares = given.count(None)
    left = WHOLE_BUFFER_PERCENT - sum(share for share in given if share is not None)
    if left < 0 or (open_shares == 0 and left != 0):
        raise option.error("expected shares that add up to 100 percent")
    mix, mean = [], Fraction(0)
    for (size, _, _), share in zip(entries, given, strict=True):
        weight = Fraction(share) if share is not None else Fraction(left, open_shares)
        bytes_each = option.with_value(size).amount(base)
        _require_sectors(option, bytes_each)
        mix.append({"block_bytes": bytes_each, "weight": float(weight)})
        mean += bytes_each * weight / 100
    if mean == 0:
        raise option.error("expected a size with a share")
    return mean, {"block_mix": mix}


def _require_sectors(option: Option, size: int) -> None:
    if size == 0 or size % SECTOR_BYTES:
        raise option.error(f"expected whole sectors of {SECTOR_BYTES} bytes")


def _percent(option: Option) -> Fraction:
    percent = option.whole()
    if percent > 100:
        raise option.error("expected a percentage, 0 to 100")
    return Fraction(percent, 100)
