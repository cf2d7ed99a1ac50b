#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn an strace log of a program's file requests into a block trace.

This command writes the log (options may be added, not left out)::

    CALLS=pread64,pwrite64,preadv,pwritev,preadv2,pwritev2,fsync,fdatasync
    CALLS=$CALLS,rename,renameat,renameat2,link,linkat,unlink,unlinkat
    strace -f -ttt -y -s 0 -o LOG -e trace=$CALLS PROGRAM ...

Other calls in the log are skipped, in particular ``read`` and ``write``, whose
file offset is not in the log.

Only files below ``--root`` count.  Every such file that is read or written
gets an extent of one flat address space, in the order of first use.  An extent
begins at a multiple of ``--align`` and is as long as the file: its final size
from ``--sizes`` or the end of the furthest request, whichever is larger,
rounded up to ``--align``.  A request's address is the extent's base plus the
file offset, widened to whole sectors.

A file keeps its extent when it is renamed (a recycled log segment stays where
it was), and a file that is removed leaves its extent unused.  A relative name
in ``rename`` and its kin is taken as relative to ``--root``, so the program is
expected to have made that its working directory.

The result is CSV with the header ``time_us,operation,offset_bytes,size_bytes``:

* ``time_us``: when the call was entered, in whole microseconds since the first
  row;
* ``operation``: ``read``, ``write`` or ``flush`` (fsync and fdatasync, also of
  a directory);
* ``offset_bytes`` and ``size_bytes``: both 0 for ``flush``.

Calls that failed or moved no bytes give no row.  A transfer's size is the
number of bytes the call returned.
"""

from __future__ import annotations

import argparse
import collections
import csv
import itertools
import lzma
import os
import posixpath
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

HEADER = ("time_us", "operation", "offset_bytes", "size_bytes")

TRANSFERS = {
    "pread64": "read",
    "preadv": "read",
    "preadv2": "read",
    "pwrite64": "write",
    "pwritev": "write",
    "pwritev2": "write",
}
FLUSHES = frozenset({"fsync", "fdatasync"})
# Calls that change the file behind a name, grouped by their name arguments.
RENAMES = frozenset({"rename", "renameat", "renameat2"})
LINKS = frozenset({"link", "linkat"})
UNLINKS = frozenset({"unlink", "unlinkat"})

UNFINISHED = " <unfinished ...>"

LINE = re.compile(r"(?P<pid>\d+)\s+(?P<sec>\d+)\.(?P<frac>\d{6})\s+(?P<rest>.*)", re.DOTALL)
RESUMED = re.compile(r"<\.\.\. (?P<name>\w+) resumed>(?P<tail>.*)", re.DOTALL)
CALL = re.compile(r"(?P<name>\w+)\((?P<args>.*)\)\s+= (?P<result>-?\d+)", re.DOTALL)
DESCRIPTOR = re.compile(r"\d+<(?P<path>(?:[^<>\\]|\\.)*)>(?P<deleted>\(deleted\))?")
# The part after the buffer: "..., OFFSET" and, for the v2 calls, ", FLAGS".
OFFSET = re.compile(r", (?P<offset>\d+)$")
OFFSET_FLAGS = re.compile(r", (?P<offset>\d+), \w+(?:\|\w+)*$")
# A file name, after its directory in the calls that take one.
NAME = re.compile(r'(?:\w+<(?P<base>(?:[^<>\\]|\\.)*)>, )?"(?P<name>(?:[^"\\]|\\.)*)"(?P<cut>\.\.\.)?')


class TraceError(Exception):
    """The input cannot be turned into a trace; the text says why."""


class Call(NamedTuple):
    """One finished system call."""

    time_us: int
    name: str
    args: str
    result: int
    line: int


class Request(NamedTuple):
    """A read or write of a file, before it has an address."""

    time_us: int
    operation: str
    file: int
    offset: int
    size: int


class Row(NamedTuple):
    """One row of the block trace."""

    time_us: int
    operation: str
    offset: int
    size: int


class Opened(NamedTuple):
    """The file of an open descriptor."""

    path: str
    deleted: bool


@dataclass
class Files:
    """The file behind each name at this point of the log."""

    root: str
    by_path: dict[str, int] = field(default_factory=dict)
    # The file last removed under a name; a process may still have it open.
    removed: dict[str, int] = field(default_factory=dict)
    first_name: list[str] = field(default_factory=list)

    def inside(self, path: str) -> bool:
        return path == self.root or path.startswith(self.root + "/")

    def lookup(self, opened: Opened) -> int:
        """The number of a file, a new one if it is not yet known."""
        known = self.removed if opened.deleted else self.by_path
        number = known.get(opened.path)
        if number is None:
            number = len(self.first_name)
            self.first_name.append(opened.path)
            known[opened.path] = number
        return number

    def link(self, old: str, new: str) -> None:
        if self.inside(old) and self.inside(new) and old != new:
            self.unlink(new)
            self.by_path[new] = self.lookup(Opened(old, deleted=False))

    def unlink(self, path: str) -> None:
        number = self.by_path.pop(path, None)
        if number is not None:
            self.removed[path] = number


def open_text(path: Path) -> IO[str]:
    """Open a log, compressed with xz or not."""
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8", errors="surrogateescape", newline="\n")
    return path.open("rt", encoding="utf-8", errors="surrogateescape", newline="\n")


def read_calls(lines: Iterable[str]) -> list[Call]:
    """Join the halves of interrupted calls; sort by the time of entry."""
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
                continue  # entered before the recording began
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
    """The absolute file names in a call's arguments."""
    found: list[str] = []
    for match in NAME.finditer(call.args):
        if match["cut"]:
            raise TraceError(f"line {call.line}: a file name of {call.name} is cut short")
        path = posixpath.join(root, match["base"] or "", match["name"])
        found.append(posixpath.normpath(path))
    if len(found) != count:
        raise TraceError(f"line {call.line}: {call.name} shows {len(found)} file names, not {count}")
    return found


def opened_file(call: Call) -> Opened | None:
    """The open file that is the first argument; None if it is not a file."""
    match = DESCRIPTOR.match(call.args)
    if match is None:
        raise TraceError(f"line {call.line}: {call.name} shows no path for its descriptor (was strace run with -y?)")
    if not match["path"].startswith("/"):
        return None
    return Opened(match["path"], match["deleted"] is not None)


def file_offset(call: Call) -> int:
    pattern = OFFSET_FLAGS if call.name.endswith("v2") else OFFSET
    match = pattern.search(call.args)
    if match is None:
        raise TraceError(f"line {call.line}: {call.name} shows no file offset")
    return int(match["offset"])


def collect(calls: Iterable[Call], files: Files) -> Iterator[Request]:
    """Reads, writes and flushes of files below the root, in order."""
    for call in calls:
        if call.result < 0:
            continue
        if call.name in TRANSFERS:
            opened = opened_file(call)
            if opened is None or not files.inside(opened.path) or call.result == 0:
                continue
            yield Request(
                call.time_us,
                TRANSFERS[call.name],
                files.lookup(opened),
                file_offset(call),
                call.result,
            )
        elif call.name in FLUSHES:
            opened = opened_file(call)
            if opened is not None and files.inside(opened.path):
                yield Request(call.time_us, "flush", -1, 0, 0)
        elif call.name in RENAMES | LINKS:
            old, new = names(call, files.root, 2)
            files.link(old, new)
            if call.name in RENAMES and old != new:
                files.unlink(old)
        elif call.name in UNLINKS:
            (name,) = names(call, files.root, 1)
            files.unlink(name)


def read_sizes(path: Path) -> dict[str, int]:
    """Lines 'BYTES<tab>PATH', the path relative to the root."""
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


def lay_out(requests: Iterable[Request], files: Files, sizes: dict[str, int], align: int) -> tuple[dict[int, int], int]:
    """Base address of every file that is read or written, and the total."""
    ends: dict[int, int] = {}  # in the order of first use
    for request in requests:
        if request.operation != "flush":
            end = request.offset + request.size
            ends[request.file] = max(ends.get(request.file, 0), end)
    for path, number in files.by_path.items():
        if number in ends:
            final = sizes.get(posixpath.relpath(path, files.root), 0)
            ends[number] = max(ends[number], final)
    bases: dict[int, int] = {}
    free = 0
    for number, end in ends.items():
        bases[number] = free
        free += round_up(end, align)
    return bases, free


def address(requests: Iterable[Request], bases: dict[int, int], sector: int) -> Iterator[Row]:
    """Place each request in the flat address space."""
    start: int | None = None
    for request in requests:
        if start is None:
            start = request.time_us
        time_us = request.time_us - start
        if request.operation == "flush":
            yield Row(time_us, "flush", 0, 0)
            continue
        first = bases[request.file] + request.offset // sector * sector
        last = bases[request.file] + round_up(request.offset + request.size, sector)
        yield Row(time_us, request.operation, first, last - first)


def touched(rows: Iterable[Row]) -> int:
    """The number of distinct bytes that the rows touch."""
    total = 0
    reach = 0
    for begin, end in sorted({(row.offset, row.offset + row.size) for row in rows}):
        total += max(0, end - max(begin, reach))
        reach = max(reach, end)
    return total


def report(rows: list[Row], total: int, extents: int, out: IO[str]) -> None:
    """Print the statistics of the README's table."""
    span = (rows[-1].time_us - rows[0].time_us) / 1e6
    print(f"rows            {len(rows)}", file=out)
    print(f"span            {span:.3f} s", file=out)
    data = [row for row in rows if row.operation != "flush"]
    for operation in ("read", "write"):
        kind = [row for row in data if row.operation == operation]
        if not kind:
            print(f"{operation:15} none", file=out)
            continue
        moved = sum(row.size for row in kind)
        following = sum(a.offset + a.size == b.offset for a, b in itertools.pairwise(kind))
        common = collections.Counter(row.size for row in kind).most_common(3)
        print(
            f"{operation:15} {len(kind)} rows, {moved} B, mean {moved / len(kind):.0f} B, "
            f"{min(row.size for row in kind)}..{max(row.size for row in kind)} B, "
            f"footprint {touched(kind)} B, sequential {following / len(kind):.1%}, "
            "sizes " + " ".join(f"{size}:{count}" for size, count in common),
            file=out,
        )
    print(f"flush           {len(rows) - len(data)} rows", file=out)
    print(f"footprint       {touched(data)} B", file=out)
    print(
        f"addresses       {min(row.offset for row in data)}.."
        f"{max(row.offset + row.size for row in data)} B "
        f"({extents} extents, {total} B laid out)",
        file=out,
    )


def open_output(path: Path) -> IO[str]:
    """Open the trace for writing, compressed with xz or not."""
    if path.suffix == ".xz":
        preset = 9 | lzma.PRESET_EXTREME
        return lzma.open(path, "wt", encoding="ascii", newline="", preset=preset)
    return path.open("wt", encoding="ascii", newline="")


def write_csv(rows: Iterable[Row], path: Path) -> None:
    with open_output(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(rows)


def power_of_two(text: str) -> int:
    value = int(text)
    if value <= 0 or value & (value - 1):
        raise argparse.ArgumentTypeError(f"{text} is not a power of two")
    return value


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
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
    parser.add_argument(
        "--align",
        type=power_of_two,
        default=1 << 20,
        help="extents begin at multiples of this many bytes (default %(default)s)",
    )
    parser.add_argument(
        "--sector",
        type=power_of_two,
        default=512,
        help="requests are widened to multiples of this many bytes (default %(default)s)",
    )
    parser.add_argument("--map", type=Path, help="also write the extents: CSV of base_bytes,first_name")
    options = parser.parse_args(arguments)
    if not options.root.startswith("/"):
        parser.error(f"--root must be an absolute path, not {options.root!r}")
    if options.sector > options.align:
        parser.error("--sector must not be larger than --align")
    return options


def convert(options: argparse.Namespace) -> None:
    files = Files(posixpath.normpath(options.root))
    sizes = read_sizes(options.sizes) if options.sizes else {}
    with open_text(options.log) as stream:
        calls = read_calls(stream)
    requests = list(collect(calls, files))
    if not any(request.operation != "flush" for request in requests):
        raise TraceError(f"{options.log}: no read or write of a file below {files.root}")
    bases, total = lay_out(requests, files, sizes, options.align)
    rows = list(address(requests, bases, options.sector))
    write_csv(rows, options.output)
    if options.map:
        with options.map.open("wt", encoding="utf-8", errors="surrogateescape") as stream:
            stream.write("base_bytes,first_name\n")
            for number, base in bases.items():
                name = posixpath.relpath(files.first_name[number], files.root)
                stream.write(f"{base},{name}\n")
    report(rows, total, len(bases), sys.stdout)


def main(arguments: list[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        convert(options)
    except TraceError as error:
        print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
        return 1
    except (OSError, lzma.LZMAError) as error:
        print(f"{os.path.basename(sys.argv[0])}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
