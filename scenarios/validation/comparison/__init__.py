# SPDX-License-Identifier: Apache-2.0
"""Code that all validation studies share."""
