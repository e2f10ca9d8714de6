# SPDX-License-Identifier: BSD-3-Clause
"""Statistics for skewed, correlated timings: medians, order statistics and paired ratios; no means, no normality."""
