# SPDX-License-Identifier: Apache-2.0
"""Tests that the tables of the command are as wide as the terminal, and that no figure in them is cut."""

import io

from hypothesis import given
from hypothesis import strategies as st

from nandscape.cli.tables import GAP, figures, width_of

COLUMNS = ["nand.timing.t_prog_us", "host.workload.queue_depth", "runs", "host.iops", "host.read.latency_us.p99"]
ROWS = [["500", "8", "3", "13,718.7 ± 12", "23,957.9 ± 400"], ["900", "64", "3", "9,001 ± 7", "31,000 ± 1,200"]]

NAMES = st.lists(st.from_regex(r"[a-z_]{1,9}([. ][a-z_]{1,9}){0,3}", fullmatch=True), min_size=1, max_size=8)
CELLS = st.from_regex(r"[0-9,.±-]{1,14}", fullmatch=True)


def test_without_a_terminal_a_row_is_a_line():
    lines = figures(COLUMNS, ROWS).splitlines()
    assert len(lines) == 3
    assert lines[0].split() == COLUMNS
    assert width_of(io.StringIO()) is None


def test_names_are_folded_before_the_table_is_divided():
    text = figures(COLUMNS, ROWS, width=80, keys=2)
    assert "\n\n" not in text
    above, below, *rows = text.splitlines()
    assert above.split() == ["nand.timing.", "host.workload.", "host.read."]
    assert below.split() == ["t_prog_us", "queue_depth", "runs", "host.iops", "latency_us.p99"]
    assert [len(row) for row in rows] == [len(below)] * 2


def test_parts_repeat_the_keys():
    parts = figures(COLUMNS, ROWS, width=60, keys=2).split("\n\n")
    assert len(parts) == 2
    assert all(part.splitlines()[-1].split()[:2] == ["900", "64"] for part in parts)


@given(NAMES, st.data(), st.integers(1, 120), st.integers(1, 3))
def test_no_figure_is_cut_and_no_line_is_longer_than_it_must_be(names, data, width, keys):
    row = [data.draw(CELLS) for _ in names]
    text = figures(names, [row], width, keys)
    parts = [part.splitlines() for part in text.split("\n\n")]
    for cell in row:
        assert any(cell in line for part in parts for line in part)
    pieces = "".join(names).replace(".", "").replace(" ", "")
    heads = "".join(line for part in parts for line in part[:-1])
    assert all(heads.count(letter) >= pieces.count(letter) for letter in set(pieces)), "names are whole, too"
    least = [max(len(cell), *map(len, name.replace(".", ". ").split())) for name, cell in zip(names, row, strict=True)]
    room = max(width, max(sum(least[:keys]) + one + len(GAP) * keys for one in least))
    assert all(len(line) <= room for part in parts for line in part)
