# SPDX-License-Identifier: Apache-2.0
"""Reports: one page about one or several runs, which needs only a browser."""
