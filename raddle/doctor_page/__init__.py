# SPDX-License-Identifier: BSD-3-Clause
"""`raddle doctor --html`: what was found as a page for others."""
