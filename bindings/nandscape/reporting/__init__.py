# SPDX-License-Identifier: Apache-2.0
"""Reports: a page that shows one or more runs. It needs only a browser, and no network."""
