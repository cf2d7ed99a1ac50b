# SPDX-License-Identifier: Apache-2.0
"""Tests that the names in the documents exist: files, configuration keys, statistics, folders of the controller, and
papers.
"""

import html
import re
import subprocess
import sys

import pytest

from documents import DOCUMENTS, ROOT, code_in, name_of, prose_of, text_of

sys.path.insert(0, str(ROOT / "docs" / "_extensions"))

import schema

PAGES = pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)

# Paths in documents are relative to one of these folders.
BASES = [ROOT, ROOT / "models", ROOT / "models" / "controller", ROOT / "models" / "nand"]
# The beginnings of paths that need not exist, since commands or the reader of a page create these files.
MADE = (
    "build/",
    "demo/",
    "results/",
    ".venv/",
    "platform/codes/mine_",
    "include/nandscape",
    "share/nandscape",
)


@pytest.fixture(scope="module")
def files() -> set[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    return {path.rsplit("/", 1)[-1] for path in listed} | {path.name for path in ROOT.glob("*/**/*.h")}


def looks_like_path(code: str) -> bool:
    return re.fullmatch(r"\.?[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_.*-]*)+", code) is not None


@PAGES
def test_files_exist(document, files):
    for code in code_in(document):
        if code.startswith(MADE):
            continue
        if looks_like_path(code):
            assert any(list(base.glob(code.rstrip("/"))) for base in BASES), f"`{code}`"
        elif re.fullmatch(r"[a-z_0-9]+\.(h|cpp|py|dot)", code):
            assert code in files, f"`{code}`"


@PAGES
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", prose_of(document)):
        if "://" not in target:
            assert (document.parent / target).exists(), target


@PAGES
def test_keys_and_statistics_exist(document):
    faults = [fault for code in code_in(document) if (fault := schema.fault_of(code)) is not None]
    assert not faults


@PAGES
def test_papers_are_in_the_bibliography(document):
    entries = set(re.findall(r"^\((\w+)\)=$", text_of(ROOT / "docs" / "bibliography.md"), re.MULTILINE))
    for label, target in re.findall(r"\[([A-Z][^\]]* \d{4})\]\(#(\w+)\)", prose_of(document)):
        assert target in entries, label


def test_a_wrong_name_is_seen():
    assert schema.fault_of("nand.timing.t_prog_us") is None
    assert schema.fault_of("host.read.latency_us.p99") is None
    assert schema.fault_of("nand.timing.t_porg_us") is not None
    assert schema.fault_of("ecc.decoder: bit_true") is None
    assert schema.fault_of("ecc.decoder: bit_false") is not None
    assert schema.fault_of("controller.h") is None


def test_every_statistic_has_a_meaning():
    assert [statistic.path for statistic in schema.all_statistics() if not statistic.meaning] == []


def test_every_group_of_parameters_has_its_page():
    pages = {path.stem for path in (ROOT / "docs" / "parameters").glob("*.md")} - {"index", "exclusions"}
    assert pages == {key.split(".")[0] for key in schema.by_key()}


def includes_of(block: str, room: str) -> set[str]:
    """Returns the names of the other folders in `block` whose headers the folder `room` includes."""
    folder = ROOT / block / room
    sources = [*folder.glob("**/*.h"), *folder.glob("**/*.cpp")]
    assert sources, room
    return {
        other
        for source in sources
        for other in re.findall(rf'#include "{folder.parent.name}/(\w+)/', source.read_text(encoding="utf-8"))
        if other != room
    }


@pytest.mark.parametrize("block", ["channel", "controller", "ecc", "host", "nand"])
def test_each_block_has_its_namespace(block):
    folder = ROOT / "models" / block
    for source in [*folder.glob("**/*.h"), *folder.glob("**/*.cpp")]:
        for opened in re.findall(r"^namespace (nandscape[\w:]*) \{", source.read_text(encoding="utf-8"), re.MULTILINE):
            assert f"{opened}::".startswith(f"nandscape::{block}::"), source


def test_the_controller_says_of_each_place_whose_it_is():
    folder = ROOT / "models" / "controller"
    for source in {*folder.glob("**/*.h"), *folder.glob("**/*.cpp")} - {folder / "addresses" / "ids.h"}:
        assert not re.search(r"\b(PlaneId|BlockId|Ppn)\b", source.read_text(encoding="utf-8")), source


def test_rooms_of_the_platform_know_those_below_them():
    below = {
        "blocks": set(),
        "timeline": set(),
        "config": {"blocks", "timeline"},
        "wiring": {"blocks", "timeline", "config"},
        "studies": {"config"},
        "simulation": {"blocks", "timeline", "config", "wiring"},
    }
    for room, others in below.items():
        assert includes_of("platform", room) <= others, room


def test_rooms_are_drawn_as_they_are():
    drawing = re.search(r"digraph rooms \{\n(.*?)^\}", text_of(ROOT / "docs" / "ftl.md"), re.MULTILINE | re.DOTALL)[1]
    below: dict[str, set[str]] = {}
    for room, others in re.findall(r"^  (\w+) -> \{?([\w ]+?)\}?$", drawing, re.MULTILINE):
        below.setdefault(room, set()).update(others.split())

    def all_below(room: str) -> set[str]:
        return below.get(room, set()).union(*(all_below(other) for other in below.get(room, set())))

    rooms = set(below).union(*below.values()) - {"ftl"}
    folders = (ROOT / "models" / "controller").iterdir()
    assert rooms == {folder.name for folder in folders if folder.is_dir()}
    for room in rooms:
        assert room not in all_below(room)
        assert includes_of("models/controller", room) <= all_below(room), room


def test_the_picture_is_of_its_source():
    labels = re.findall(r'label="([^"]+)"', text_of(ROOT / "docs" / "blocks.dot"))
    drawn = re.findall(r"<text [^>]*>([^<]*)</text>", text_of(ROOT / "docs" / "blocks.svg"))
    assert sorted(label.strip() for label in labels) == sorted(html.unescape(text).strip() for text in drawn)


def groups_on_pages_of_blocks(directive: str) -> list[str]:
    flags = re.MULTILINE | re.DOTALL
    pages = (ROOT / "docs" / "blocks").glob("*.md")
    tables = [found for page in pages for found in re.findall(rf"^```{{{directive}}}\n(.*?)^```", text_of(page), flags)]
    return [group for table in tables for group in table.split()]


def test_every_group_has_its_block():
    groups = groups_on_pages_of_blocks("parameter-groups")
    assert sorted(groups) == sorted({key.rpartition(".")[0] for key in schema.by_key()})
    figures = groups_on_pages_of_blocks("statistic-groups")
    with_groups = {figure.path for figure in schema.all_statistics() if figure.figures or figure.groups}
    assert with_groups <= set(figures)
    assert set(figures) <= {statistic.path for statistic in schema.all_statistics()}
    assert len(figures) == len(set(figures))
