# SPDX-License-Identifier: Apache-2.0
"""The modules of nand_physics.py: one module for each paper, and one for the pictures."""
