#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn an strace log of a program's file requests into a block trace.

This command writes the log (options may be added, not left out)::

    CALLS=pread64,pwrite64,preadv,pwritev,preadv2,pwritev2,fsync,fdatasync
    CALLS=$CALLS,rename,renameat,renameat2,link,linkat,unlink,unlinkat
    strace -f -ttt -y -s 0 -o LOG -e trace=$CALLS PROGRAM ...

Other calls in the log are skipped, in particular ``read`` and ``write``, whose file offset is not in the log.

Only files below ``--root`` count. Every such file that is read or written gets an extent of one flat address space, in
the order of first use. An extent begins at a multiple of 1 MiB and is as long as the file: its final size from
``--sizes`` or the end of the furthest request, whichever is larger, rounded up to 1 MiB. A request begins at the
extent's base plus the file offset, and is widened to whole sectors of 512 bytes.

A file keeps its extent when it is renamed (a recycled log segment stays where it was), and a file that is removed
leaves its extent unused. A relative name in ``rename`` and similar calls is taken as relative to ``--root``, so
``--root`` must be the working directory of the program.

The result is CSV with the header ``time_us,operation,offset_bytes,size_bytes``. `README.md` describes its columns.
Calls that failed or moved no bytes give no row. A transfer's size is the number of bytes that the call returned.
"""

from __future__ import annotations

import argparse
import collections
import csv
import itertools
import lzma
import posixpath
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

HEADER = ("time_us", "operation", "offset_bytes", "size_bytes")
EXTENT_BYTES = 1 << 20  # extents begin at multiples of this size
SECTOR_BYTES = 512

TRANSFERS = {
    "pread64": "read",
    "preadv": "read",
    "preadv2": "read",
    "pwrite64": "write",
    "pwritev": "write",
    "pwritev2": "write",
}
FLUSHES = frozenset({"fsync", "fdatasync"})
# Calls that change the file to which a name refers, grouped by the number of their file name arguments.
RENAMES = frozenset({"rename", "renameat", "renameat2"})
LINKS = frozenset({"link", "linkat"})
UNLINKS = frozenset({"unlink", "unlinkat"})

UNFINISHED = " <unfinished ...>"

LINE = re.compile(r"(?P<pid>\d+)\s+(?P<sec>\d+)\.(?P<frac>\d{6})\s+(?P<rest>.*)", re.DOTALL)
RESUMED = re.compile(r"<\.\.\. (?P<name>\w+) resumed>(?P<tail>.*)", re.DOTALL)
CALL = re.compile(r"(?P<name>\w+)\((?P<args>.*)\)\s+= (?P<result>-?\d+)", re.DOTALL)
DESCRIPTOR = re.compile(r"\d+<(?P<path>(?:[^<>\\]|\\.)*)>(?P<deleted>\(deleted\))?")
# The end of the argument list of a transfer: ", OFFSET" or, for the v2 calls, ", OFFSET, FLAGS".
OFFSET = re.compile(r", (?P<offset>\d+)$")
OFFSET_FLAGS = re.compile(r", (?P<offset>\d+), \w+(?:\|\w+)*$")
# A file name argument, and before it the directory descriptor of the calls that have one.
NAME = re.compile(r'(?:\w+<(?P<base>(?:[^<>\\]|\\.)*)>, )?"(?P<name>(?:[^"\\]|\\.)*)"(?P<cut>\.\.\.)?')


class TraceError(Exception):
    """Raised when the input cannot be turned into a trace. The message gives the reason."""


class Call(NamedTuple):
    """A system call that has ended."""

    time_us: int
    name: str
    args: str
    result: int
    line: int


class Request(NamedTuple):
    """A read, write or flush. `offset` is first the offset in the file. The function `address` replaces it by an
    address in the flat address space."""

    time_us: int
    operation: str
    offset: int
    size: int
    file: int = -1

    @property
    def end(self) -> int:
        return self.offset + self.size


class Files:
    """The mapping from file names to file numbers at the current point of the log. Files have numbers because a file
    keeps its extent when it is renamed.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.by_path: dict[str, int] = {}
        self.first_name: list[str] = []  # by file
        self._removed: dict[str, int] = {}  # the last removed file of each name; a process may still have it open

    def inside(self, path: str) -> bool:
        return path == self.root or path.startswith(self.root + "/")

    def lookup(self, path: str, deleted: bool = False) -> int:
        """Returns the number of the file. A file that appears for the first time is given a new number. `deleted`
        selects the file that was last removed under this name.
        """
        known = self._removed if deleted else self.by_path
        if path not in known:
            known[path] = len(self.first_name)
            self.first_name.append(path)
        return known[path]

    def link(self, old: str, new: str) -> None:
        if self.inside(old) and self.inside(new) and old != new:
            self.unlink(new)
            self.by_path[new] = self.lookup(old)

    def unlink(self, path: str) -> None:
        if path in self.by_path:
            self._removed[path] = self.by_path.pop(path)


def open_text(path: Path, mode: str) -> IO[str]:
    """Opens a log (mode "rt") or the trace (mode "wt") as text. A file with the suffix .xz is compressed."""
    text = {"encoding": "utf-8", "errors": "surrogateescape", "newline": "\n"}
    if path.suffix != ".xz":
        return path.open(mode, **text)
    return lzma.open(path, mode, preset=9 | lzma.PRESET_EXTREME if mode == "wt" else None, **text)


def read_calls(lines: Iterable[str]) -> list[Call]:
    """Parses the log. Joins the two halves of each interrupted call, and returns the calls sorted by their start times.
    Raises TraceError if a line is not in the format of `strace -f -ttt`.
    """
    pending: dict[str, tuple[int, int, str]] = {}
    calls: list[Call] = []
    for number, raw in enumerate(lines, start=1):
        match = LINE.fullmatch(raw.rstrip("\n"))
        if match is None:
            raise TraceError(
                f"line {number}: expected 'PID SECONDS.MICROSECONDS CALL', "
                f"found {raw[:60]!r} (was strace run with -f -ttt -o?)"
            )
        pid = match["pid"]
        time_us = int(match["sec"]) * 1_000_000 + int(match["frac"])
        text = match["rest"]
        if text.startswith(("+++", "---")):
            if text.startswith("+++"):
                pending.pop(pid, None)
            continue
        entered = number
        if text.endswith(UNFINISHED):
            pending[pid] = (time_us, number, text.removesuffix(UNFINISHED))
            continue
        resumed = RESUMED.fullmatch(text)
        if resumed is not None:
            if pid not in pending:
                continue  # the call began before the recording
            time_us, entered, head = pending.pop(pid)
            text = head + resumed["tail"]
        call = CALL.match(text)
        if call is None:
            if " = ?" in text:
                continue  # the process ended inside the call
            raise TraceError(f"line {number}: cannot read the call {text[:80]!r}")
        calls.append(Call(time_us, call["name"], call["args"], int(call["result"]), entered))
    calls.sort(key=lambda call: (call.time_us, call.line))
    return calls


def names(call: Call, root: str, count: int) -> list[str]:
    """Returns the absolute file names in a call's arguments. Raises TraceError if there are not `count` of them."""
    found: list[str] = []
    for match in NAME.finditer(call.args):
        if match["cut"]:
            raise TraceError(f"line {call.line}: a file name of {call.name} is cut short")
        path = posixpath.join(root, match["base"] or "", match["name"])
        found.append(posixpath.normpath(path))
    if len(found) != count:
        raise TraceError(f"line {call.line}: {call.name} shows {len(found)} file names, not {count}")
    return found


def opened_file(call: Call, files: Files) -> tuple[str, bool] | None:
    """Returns the path of the open file in the first argument and whether the file is deleted, or None if it is not
    below the root directory.
    """
    match = DESCRIPTOR.match(call.args)
    if match is None:
        raise TraceError(f"line {call.line}: {call.name} shows no path for its descriptor (was strace run with -y?)")
    return (match["path"], match["deleted"] is not None) if files.inside(match["path"]) else None


def file_offset(call: Call) -> int:
    match = (OFFSET_FLAGS if call.name.endswith("v2") else OFFSET).search(call.args)
    if match is None:
        raise TraceError(f"line {call.line}: {call.name} shows no file offset")
    return int(match["offset"])


def collect(calls: Iterable[Call], files: Files) -> Iterator[Request]:
    """Yields the reads, writes and flushes of files below the root directory, in the order of the calls."""
    for call in calls:
        if call.result < 0:
            continue
        if call.name in TRANSFERS:
            opened = opened_file(call, files)
            if opened and call.result > 0:
                file = files.lookup(*opened)
                yield Request(call.time_us, TRANSFERS[call.name], file_offset(call), call.result, file)
        elif call.name in FLUSHES:
            if opened_file(call, files):
                yield Request(call.time_us, "flush", 0, 0)
        elif call.name in RENAMES | LINKS:
            old, new = names(call, files.root, 2)
            files.link(old, new)
            if call.name in RENAMES and old != new:
                files.unlink(old)
        elif call.name in UNLINKS:
            (name,) = names(call, files.root, 1)
            files.unlink(name)


def read_sizes(path: Path) -> dict[str, int]:
    """Reads the final sizes of files from lines 'BYTES<tab>PATH'. Paths are relative to the root directory."""
    sizes: dict[str, int] = {}
    with path.open("rt", encoding="utf-8", errors="surrogateescape") as stream:
        for number, line in enumerate(stream, start=1):
            size, tab, name = line.rstrip("\n").partition("\t")
            if not tab or not size.isdecimal() or not name:
                raise TraceError(f"{path}: line {number}: expected 'BYTES<tab>PATH'")
            sizes[name] = int(size)
    return sizes


def round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


def lay_out(requests: Iterable[Request], files: Files, sizes: dict[str, int]) -> tuple[dict[int, int], int]:
    """Returns the base address of each file that is read or written, and the total length of the address space."""
    ends: dict[int, int] = {}  # in the order of first use
    for request in requests:
        if request.operation != "flush":
            ends[request.file] = max(ends.get(request.file, 0), request.end)
    for path, number in files.by_path.items():
        if number in ends:
            ends[number] = max(ends[number], sizes.get(posixpath.relpath(path, files.root), 0))
    lengths = [round_up(end, EXTENT_BYTES) for end in ends.values()]
    *bases, total = itertools.accumulate(lengths, initial=0)
    return dict(zip(ends, bases, strict=True)), total


def address(request: Request, bases: dict[int, int], start_us: int) -> Request:
    """Returns the request with its address in the flat address space and its time since `start_us`."""
    request = request._replace(time_us=request.time_us - start_us)
    if request.operation == "flush":
        return request
    first = request.offset // SECTOR_BYTES * SECTOR_BYTES
    size = round_up(request.end, SECTOR_BYTES) - first
    return request._replace(offset=bases[request.file] + first, size=size)


def touched(rows: Iterable[Request]) -> int:
    """Returns the number of distinct bytes that the rows read or write."""
    total = 0
    reach = 0
    for begin, end in sorted({(row.offset, row.end) for row in rows}):
        total += max(0, end - max(begin, reach))
        reach = max(reach, end)
    return total


def report(rows: list[Request], total: int, extents: int) -> None:
    """Prints the statistics that the table in the README shows."""
    print(f"rows            {len(rows)}")
    print(f"span            {(rows[-1].time_us - rows[0].time_us) / 1e6:.3f} s")
    data = [row for row in rows if row.operation != "flush"]
    for operation in ("read", "write"):
        kind = [row for row in data if row.operation == operation]
        if not kind:
            print(f"{operation:15} none")
            continue
        sizes = [row.size for row in kind]
        following = sum(a.end == b.offset for a, b in itertools.pairwise(kind))
        common = collections.Counter(sizes).most_common(3)
        print(
            f"{operation:15} {len(kind)} rows, {sum(sizes)} B, mean {sum(sizes) / len(kind):.0f} B, "
            f"{min(sizes)}..{max(sizes)} B, "
            f"footprint {touched(kind)} B, sequential {following / len(kind):.1%}, "
            "sizes " + " ".join(f"{size}:{count}" for size, count in common)
        )
    print(f"flush           {len(rows) - len(data)} rows")
    print(f"footprint       {touched(data)} B")
    addresses = f"{min(row.offset for row in data)}..{max(row.end for row in data)} B"
    print(f"addresses       {addresses} ({extents} extents, {total} B laid out)")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Turn an strace log of a program's file requests into a block trace.",
        epilog="The module's docstring says how to record the log.",
    )
    parser.add_argument("log", type=Path, help="what strace wrote, as text or .xz")
    parser.add_argument("output", type=Path, help="the trace to write: .csv or .csv.xz")
    parser.add_argument("--root", required=True, help="absolute path of the directory whose files count")
    parser.add_argument(
        "--sizes",
        type=Path,
        help="final file sizes: lines 'BYTES<tab>PATH', paths relative to the root",
    )
    parser.add_argument("--map", type=Path, help="also write the extents: CSV of base_bytes,first_name")
    options = parser.parse_args()
    if not options.root.startswith("/"):
        parser.error(f"--root must be an absolute path, not {options.root!r}")
    return options


def convert(options: argparse.Namespace) -> None:
    files = Files(posixpath.normpath(options.root))
    sizes = read_sizes(options.sizes) if options.sizes else {}
    with open_text(options.log, "rt") as stream:
        calls = read_calls(stream)
    requests = list(collect(calls, files))
    if not any(request.operation != "flush" for request in requests):
        raise TraceError(f"{options.log}: no read or write of a file below {files.root}")
    bases, total = lay_out(requests, files, sizes)
    rows = [address(request, bases, requests[0].time_us) for request in requests]
    with open_text(options.output, "wt") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows([HEADER, *(row[: len(HEADER)] for row in rows)])
    if options.map:
        with open_text(options.map, "wt") as stream:
            stream.write("base_bytes,first_name\n")
            for number, base in bases.items():
                name = posixpath.relpath(files.first_name[number], files.root)
                stream.write(f"{base},{name}\n")
    report(rows, total, len(bases))


if __name__ == "__main__":
    try:
        convert(parse_arguments())
    except (TraceError, OSError, lzma.LZMAError) as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")
