# SPDX-License-Identifier: Apache-2.0
"""Shows the pictures that the examples of a page draw, below each example.

On a page with `gallery: true` in its front matter, the build runs each Python block that writes pictures, and shows
them. A failing block causes a warning. A block with a Linux guest is left out if the guest's kernel is missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from nandscape.guest import machine

log = logging.getLogger(__name__)

SUFFIXES = (".svg", ".png")


class Gallery(SphinxTransform):
    """Runs the blocks before images are collected."""

    default_priority = 100

    def apply(self, **_: Any) -> None:
        """Runs the blocks of one page."""
        if not self.env.metadata[self.env.docname].get("gallery"):
            return
        for number, block in enumerate(list(self.document.findall(nodes.literal_block)), start=1):
            if "ns.Guest(" in block.astext() and not (machine.folder() / "linux").exists():
                log.info("no picture on %s: make guest builds the kernel", self.env.docname)
            elif block.get("language") == "python" and "pictures.save(" in block.astext():
                folder = Path(self.app.doctreedir, "gallery", f"{self.env.docname}-{number}")
                place = block.parent.index(block) + 1
                for picture in reversed(self._drawn(block, folder)):
                    target = os.path.relpath(picture, Path(self.env.doc2path(self.env.docname)).parent)
                    block.parent.insert(place, nodes.image(uri=target, alt=picture.stem.replace("_", " ")))

    def _drawn(self, block: nodes.literal_block, folder: Path) -> list[Path]:
        """Runs a block and returns its pictures, in the order of writing."""
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-c", block.astext()], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            log.warning("the example fails: %s", done.stderr.strip().rpartition("\n")[2], location=block)
        found = [path for path in folder.iterdir() if path.suffix in SUFFIXES]
        return sorted(found, key=lambda path: path.stat().st_mtime_ns)


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the transform with Sphinx."""
    app.add_transform(Gallery)
    return {"parallel_read_safe": True}
