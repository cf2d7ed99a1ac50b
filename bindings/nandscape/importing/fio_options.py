# SPDX-License-Identifier: Apache-2.0
"""fio options that have no counterpart. Some can be ignored, and the others are refused because they would change the
workload."""

from __future__ import annotations

from nandscape.importing.fio_job_file import Job
from nandscape.importing.imported import Imported

# Ignored options, which name, start and report a job.
_NAMING_AND_REPORTING = """
name description group_reporting thread gtod_reduce eta status-interval percentile_list lat_percentiles
clat_percentiles slat_percentiles disk_util unified_rw_reporting write_bw_log write_lat_log write_iops_log
log_avg_msec per_job_logs bwavgtime iopsavgtime randrepeat allrandrepeat randseed random_generator invalidate
refill_buffers zero_buffers directory create_serialize overwrite unlink fallocate mem iomem cpus_allowed
numa_mem_policy cpus_allowed_policy numa_cpu_nodes nice prio prioclass hipri fixedbufs registerfiles sqthread_poll
new_group scramble_buffers file_service_type userspace_reap create_on_open
"""
IGNORED = frozenset(_NAMING_AND_REPORTING.split())
# Options that would change the workload, each with the text of the error.
REFUSED = {
    "include": "files are not included; copy their lines here",
    "read_iolog": "a log is a trace: `kind: trace, format: fio` replays it",
    "verify": "reading data again to verify them has no counterpart; remove it",
    "fsync": "workloads issue no flushes; a trace can have them",
    "fdatasync": "workloads issue no flushes; a trace can have them",
    "sync_file_range": "workloads issue no flushes; a trace can have them",
    "sync": "writes of a workload may complete before they are on flash; a trace can have flushes",
    "write_barrier": "workloads issue no flushes; a trace can have them",
    "fill_device": "a workload ends after its requests, not when the drive is full",
    "zonemode": "zones have no counterpart",
    "zonesize": "zones have no counterpart",
    "zonerange": "zones have no counterpart",
    "zoneskip": "zones have no counterpart",
    "startdelay": "all workloads start at once",
    "start_delay": "all workloads start at once",
    "wait_for": "all workloads run at once; make a configuration for each job",
    "flow": "jobs do not wait for one another here",
    "latency_target": "the number of requests in flight is fixed",
    "bs_unaligned": "requests start at a sector and have whole sectors",
    "bs_is_seq_rand": "a workload is either sequential or random, with one distribution of sizes",
    "iodepth_batch": "requests are issued one at a time",
    "iodepth_batch_submit": "requests are issued one at a time",
    "iodepth_low": "each completion is followed by one new request",
    "trim_percentage": "a workload draws trims by their share of all requests",
    "nrfiles": "a job has one file here",
    "opendir": "a job has one file here",
}
NO_BLOCK_ENGINES = {"null", "cpuio", "net", "netsplice", "filecreate", "filestat", "filedelete", "rdma", "exec", "http"}


def check_options(imported: Imported, job: Job, *, first: bool) -> None:
    """Raises `InputError` for an option that would change the workload. Adds a remark if the job uses a page cache."""
    for name, why in REFUSED.items():
        option = job.find(name)
        if option is None or option.value.lower() in ("0", "none"):
            continue
        if option.value == "1" and (name.startswith("iodepth_batch") or name in ("nrfiles", "iodepth_low")):
            continue
        raise option.error(why)
    for name in ("stonewall", "wait_for_previous"):
        option = job.find(name)
        if option is not None and option.value != "0" and not first:
            raise option.error("jobs that follow one another have no counterpart; make a configuration for each")
    engine, filename = job.find("ioengine"), job.find("filename")
    if engine is not None and engine.value in NO_BLOCK_ENGINES:
        raise engine.error("this engine sends no requests to a drive")
    if filename is not None and ":" in filename.value:
        raise filename.error("a job has one file here; make a job for each")
    direct, buffered = job.find("direct"), job.find("buffered")
    if not (direct is not None and direct.value == "1") and not (buffered is not None and buffered.value == "0"):
        imported.remarks.append(
            job.option.remark("there is no page cache here: requests go to the drive, as with direct=1")
        )
