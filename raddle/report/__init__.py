# SPDX-License-Identifier: BSD-3-Clause
"""What a run says, for people: words and tables in the terminal, CSV, figures, one HTML page.

`data.py` holds what there is to say; every exporter (`terminal.py`, `csv.py`, `html.py`) and every figure kind
(`figures/`) is one file that reads it and adds no statistics of its own.
"""
