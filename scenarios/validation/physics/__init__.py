# SPDX-License-Identifier: Apache-2.0
"""The studies of nand_physics.py: one module for each paper, and the pictures."""
