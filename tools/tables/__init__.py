# SPDX-License-Identifier: BSD-3-Clause
"""Tables that pages quote from runs in docs/results."""
