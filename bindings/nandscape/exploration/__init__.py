# SPDX-License-Identifier: Apache-2.0
"""Many runs: sweeps over configurations, comparisons with confidence intervals, and searches for the best."""
