# SPDX-License-Identifier: BSD-3-Clause
"""An MPI's own best settings for a shape of work, found by measuring: what the variant `tuned` runs with."""
