# SPDX-License-Identifier: BSD-3-Clause
"""What the rows say: ratios, verdicts, and what stands in the way of believing them."""
