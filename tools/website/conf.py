# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx's settings for the site. Sources are a copy that sources.py has made."""

import os

project = "Raddle"
author = "the authors of Raddle"
extensions = ["myst_parser", *(["breathe"] if "RADDLE_DOXYGEN" in os.environ else [])]
root_doc = "index"
highlight_language = "text"
html_theme = "furo"
html_title = "Raddle"
html_show_sourcelink = False
myst_heading_anchors = 4  # links to headings, named as GitHub does
breathe_projects = {"raddle": os.environ.get("RADDLE_DOXYGEN", "")}
breathe_default_project = "raddle"
breathe_domain_by_extension = {"h": "c"}
# Code with dots for what is left out.
suppress_warnings = ["misc.highlighting_failure", "duplicate_declaration.c"]  # a struct and its typedef
