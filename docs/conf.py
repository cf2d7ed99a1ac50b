# SPDX-License-Identifier: Apache-2.0
"""Sphinx's configuration; `make docs` builds the pages, and any warning is an error."""

import sys
from pathlib import Path

import nandscape

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "_extensions"))

project = "nandscape"
author = "the authors of nandscape"
version = release = nandscape.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.graphviz",
    "sphinxcontrib.plantuml",
    "figures",
    "gallery",
    "notebooks",
    "reference",
]
exclude_patterns = ["_*"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
nitpicky = True

# The build draws the diagrams with programs on this machine.
graphviz_output_format = "svg"
plantuml = f"plantuml -config {DOCS / '_static' / 'sequence.puml'}"
plantuml_output_format = "svg_img"
plantuml_syntax_error_image = True  # causes a warning, which the build treats as an error

highlight_language = "none"
html_theme = "furo"
html_title = f"nandscape {release}"
html_static_path = ["_static"]
html_css_files = ["nandscape.css"]
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
