# SPDX-License-Identifier: Apache-2.0
"""The scenario that lays reads of subpages by layer-aware schemes beside their paper."""

SCENARIO = "layer_reads.py"


def test_it_succeeds(done):
    process, folder = done
    assert process.returncode == 0, process.stderr
    assert process.stderr == "", "no progress bar where there is no terminal"
    assert len(list((folder / "pictures").glob("figure_*.png"))) == 5


def test_every_figure_stands_beside_the_papers(rows):
    for name, row in rows.items():
        assert name.startswith("nie_2020.")
        assert {"ours", "paper", "unit"} <= row.keys()


def test_layers_differ_as_in_figure_2(rows):
    best, middle, worst = (rows[f"nie_2020.reads_of_{layer}_layer"]["ours"] for layer in ("best", "middle", "worst"))
    assert 1 <= best < middle < worst - 1 < 7


def test_borrowed_parity_helps_weak_subpages(rows):
    own, borrowed = (rows[f"nie_2020.reads_with_{parity}_parity"]["ours"] for parity in ("own", "borrowed"))
    assert 1 < borrowed < 0.95 * own


def test_srs_shortens_reads(rows):
    assert rows["nie_2020.mean_reduction_srs"]["ours"] > 0


def test_fullpages_cost_what_was_published(rows):
    for name in ("little_read_amplification", "fullpages_over_loads", "added_pages"):
        assert rows[f"nie_2020.{name}"]["within"], name


def test_what_is_not_reached_says_why(rows):
    for name, row in rows.items():
        assert row["within"] or row["exception"], name
