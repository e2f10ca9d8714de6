# SPDX-License-Identifier: BSD-3-Clause
"""Two simulated nodes on one machine, for the placement `netns`."""
