# SPDX-License-Identifier: Apache-2.0
"""Converts fio jobs to workloads. The options are interpreted as described in fio's manual."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

from nandscape.config import Config, load, raw_bytes
from nandscape.importing.fio_addresses import Mix, direction_mix, pattern, sizes
from nandscape.importing.fio_job_file import Job, Option, read_jobs
from nandscape.importing.fio_options import IGNORED, check_options
from nandscape.importing.imported import Imported

MOST_WORKLOADS = 254  # each workload needs a pair of queues, as do commands that are issued one by one
REQUESTS = 10**12  # number of requests of a job that only a time limit ends
# Engines of fio that keep several requests in flight.
ASYNCHRONOUS = {"libaio", "io_uring", "io_uring_cmd", "posixaio", "windowsaio", "solarisaio", "sg", "xnvme", "libblkio"}


def import_fio(job: str | os.PathLike[str], on: str | os.PathLike[str] = "default") -> Imported:
    """Converts the jobs of a file to workloads that all start at once. `on`: the preset or the configuration file of
    the drive.

    Raises `InputError` for an option that has no counterpart and would change the workload, `ConfigError` for values
    that are out of the ranges of nandscape's keys, and OSError for a file that cannot be read.
    """
    preset = os.fsdecode(on)
    # A file, whose absolute path is valid in any folder.
    if "/" in preset or preset.endswith((".yaml", ".yml", ".json")):
        preset = os.path.abspath(preset)
    imported = Imported(preset, [os.path.basename(os.fsdecode(job))])
    drive = load(preset)
    jobs = read_jobs(job)
    space = _Space(drive)
    workloads: list[dict[str, Any]] = []
    for k, each in enumerate(jobs):
        check_options(imported, each, first=k == 0)
        for clone in range(_clones(each)):
            workloads.append(_workload(imported, each, clone, space))
            if len(workloads) > MOST_WORKLOADS:
                raise each.option.error(f"this makes more than {MOST_WORKLOADS} jobs, the most that can run at once")
        imported.remarks += [option.remark("no counterpart") for option in each.left() if option.name not in IGNORED]
    if len(workloads) >= drive["host.nvme.io_queues"]:
        imported.values["host.nvme.io_queues"] = len(workloads) + 1
    imported.values["host.workload"] = workloads
    # Options of [global] occur in every job, so their remarks are repeated.
    imported.remarks[:] = dict.fromkeys(imported.remarks)
    imported.config()
    return imported


class _Space:
    """The address space of the drive: its capacity in bytes, and the files of the jobs, which are placed one after
    another."""

    _ALIGNMENT = 1 << 20

    def __init__(self, drive: Config) -> None:
        share = 1 + Fraction(drive["controller.mapping.over_provisioning"])
        page = drive["nand.geometry.page_bytes"]
        self.capacity = int(raw_bytes(drive) / share) // page * page
        self._files: dict[str, tuple[int, int]] = {}
        self._used = 0

    def file(self, job: Job, clone: int, size: int | None) -> tuple[int, int]:
        """Returns the first byte of a job's file and the size of the file in bytes. Jobs that name the same file share
        it.

        `size`: the number of bytes that the job needs, or None if the job does not give a size.
        """
        given = job.find("filename")
        if given is not None and given.value.startswith("/dev/"):
            devices = {name for name in self._files if name.startswith("/dev/")} | {given.value}
            if len(devices) > 1:
                raise given.error(f"only one drive is simulated, and another job has {min(devices - {given.value})}")
            self._files[given.value] = (0, self.capacity)
            return self._files[given.value]
        name = given.value if given is not None else f"{job.name}.{clone}"
        if name not in self._files:
            if size is None:
                raise job.option.error(
                    "the job has a file of its own and no size; give size, or filename=/dev/... for the drive"
                )
            self._files[name] = (self._used, size)
            self._used += -(-size // self._ALIGNMENT) * self._ALIGNMENT
        start, room = self._files[name]
        return start, max(room, size or 0)


def _clones(job: Job) -> int:
    option = job.find("numjobs")
    count = option.whole() if option is not None else 1
    if option is not None and not 1 <= count <= MOST_WORKLOADS:
        raise option.error(f"expected 1 to {MOST_WORKLOADS} jobs")
    return count


def _workload(imported: Imported, job: Job, clone: int, space: _Space) -> dict[str, Any]:
    base = _base(job)
    name = job.name if _clones(job) == 1 else f"{job.name}.{clone}"
    mix = direction_mix(job)
    workload: dict[str, Any] = {"name": name.replace("/", "_"), "kind": "synthetic"} | mix.keys()
    workload |= pattern(imported, job, mix)
    mean_bytes, size_keys = sizes(job, mix, base)
    workload |= size_keys
    start, room, amount = _region(job, clone, space, base)
    workload["footprint_start_bytes"] = start
    workload["footprint_bytes"] = room
    depth = _depth(imported, job)
    rate = _rate(job, mix, mean_bytes, base)
    workload |= _pacing(imported, job, depth, rate)
    return workload | _end(imported, job, amount, mean_bytes, rate)


def _base(job: Job) -> int:
    option = job.find("kb_base")
    if option is not None and option.value not in ("1000", "1024"):
        raise option.error("expected 1000 or 1024")
    return int(option.value) if option is not None else 1024


def _region(job: Job, clone: int, space: _Space, base: int) -> tuple[int, int, int]:
    """Returns the first byte of the job's addresses, the number of bytes that the addresses span, and the number of
    bytes that the job transfers."""
    size_option, limit = job.find("size"), job.find("io_size")
    whole_drive = space.capacity
    size = _share(size_option, base, whole_drive) if size_option is not None else None
    offset_option, step = job.find("offset"), job.find("offset_increment")
    offset = _share(offset_option, base, whole_drive) if offset_option is not None else 0
    offset += clone * (_share(step, base, whole_drive) if step is not None else 0)
    file_size = job.find("filesize")
    needed = _share(file_size, base, whole_drive) if file_size is not None else None
    if needed is None and size is not None:
        needed = offset + size
    start, room = space.file(job, clone, needed)
    span = size if size is not None else room - offset
    place = size_option or offset_option or job.option
    if span <= 0 or start + offset + span > whole_drive:
        raise place.error(
            f"bytes {start + offset} to {start + offset + span} are not within the drive's {whole_drive} bytes;"
            " take a larger drive or a smaller size"
        )
    loops = job.find("loops")
    amount = limit.amount(base) if limit is not None and "%" not in limit.value else span
    if limit is not None and "%" in limit.value:
        amount = _share(limit, base, span)
    return start + offset, span, amount * (loops.whole() if loops is not None else 1)


def _share(option: Option, base: int, whole: int) -> int:
    """Returns the number of bytes that an option gives, either as a size or as a percentage of `whole`."""
    if not option.value.endswith("%"):
        return option.amount(base)
    percent = option.with_value(option.value.rstrip("%")).whole()
    if percent > 100:
        raise option.error("expected at most 100%")
    return whole * percent // 100


def _depth(imported: Imported, job: Job) -> int:
    engine, depth = job.find("ioengine"), job.find("iodepth")
    name = engine.value if engine is not None else "psync"
    wanted = depth.whole() if depth is not None else 1
    if name in ASYNCHRONOUS or wanted == 1:
        return wanted
    assert depth is not None
    imported.remarks.append(depth.remark(f"the engine {name} keeps one request in flight, whatever iodepth is"))
    return 1


def _rate(job: Job, mix: Mix, mean_bytes: Fraction, base: int) -> Fraction | None:
    """Returns the number of requests per second in all directions together, or None without a limit. fio limits the
    rate of each direction. The direction that reaches its limit first delays the other directions."""
    iops, rate = job.find("rate_iops"), job.find("rate")
    if iops is None and rate is None:
        return None
    if iops is not None and rate is not None:
        raise iops.error("expected one of rate and rate_iops")
    option = iops or rate
    assert option is not None
    parts = option.value.split(",")
    totals = []
    for k, share in enumerate(mix.shares):
        text = parts[min(k, len(parts) - 1)].strip()
        if share == 0 or not text:
            continue
        part = option.with_value(text)
        each = Fraction(part.amount(base)) / (1 if iops is not None else mean_bytes)
        if each > 0:
            totals.append(each / share)
    return min(totals) if totals else None


def _pacing(imported: Imported, job: Job, depth: int, rate: Fraction | None) -> dict[str, Any]:
    think = job.find("thinktime")
    think_us = think.seconds("us") * 10**6 if think is not None else Fraction(0)
    process, blocks = job.find("rate_process"), job.find("thinktime_blocks")
    if think is not None and think_us > 0:
        if rate is not None:
            raise think.error("a job with a rate takes no think time here; remove one of them")
        if depth > 1 or (blocks is not None and blocks.whole() != 1):
            raise think.error("it stalls the whole job in fio; it has a counterpart only with iodepth=1 and one block")
        return {"pacing": "closed", "queue_depth": depth, "think_time_us": float(think_us)}
    if rate is None:
        return {"pacing": "closed", "queue_depth": depth}
    arrival = "constant"
    if process is not None:
        arrivals = {"linear": "constant", "poisson": "poisson"}
        if process.value not in arrivals:
            raise process.error(f"expected {' or '.join(arrivals)}")
        arrival = arrivals[process.value]
    return {"pacing": "open", "arrival": arrival, "rate_iops": float(rate), "queue_depth": depth}


def _end(imported: Imported, job: Job, amount: int, mean_bytes: Fraction, rate: Fraction | None) -> dict[str, Any]:
    requests = max(1, int(amount / mean_bytes))
    limit, runtime, time_based = job.find("number_ios"), job.find("runtime"), job.is_set("time_based")
    if limit is not None:
        requests = min(requests, max(1, limit.whole()))
    if runtime is None or runtime.seconds() == 0:
        return {"requests": requests}
    if rate is not None:
        in_time = max(1, int(rate * runtime.seconds()))
        imported.remarks.append(runtime.remark("the job makes the requests that its rate gives in that time"))
        return {"requests": in_time if time_based else min(requests, in_time)}
    return {"requests": REQUESTS if time_based else requests, "duration_ms": float(1000 * runtime.seconds())}
