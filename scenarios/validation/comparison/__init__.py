# SPDX-License-Identifier: Apache-2.0
"""The shared library of the validation studies."""
