# SPDX-License-Identifier: BSD-3-Clause
"""The pages as a site: `make docs`."""
