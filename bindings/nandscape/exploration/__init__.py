# SPDX-License-Identifier: Apache-2.0
"""Many runs: sweeps over configurations, what their differences are worth, and searches for the best."""
