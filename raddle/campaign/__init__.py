# SPDX-License-Identifier: BSD-3-Clause
"""A whole run: where it goes, what starts its launches, and the loop over them."""
