# SPDX-License-Identifier: Apache-2.0
"""Data that Nie et al. (DAC 2020) print in figures 2(b), 6 and 7 and in the text. Gains and shares are percentages."""

# Section II-B, Figure 2(b): until subpages of layers A, B and C are decoded, at 15 days.
READS_OF_LAYERS = (1, 4, 6)

# Section III-B: error rates of a strong and of a weak page that decode alike with so much parity lent and borrowed, and
# the example of a weak subpage with its own parity and with what it borrows.
STRONG_RBER, WEAK_RBER = 0.0028, 0.0078
RATIO = 2.7
BORROWED_BITS = 225
READS_OF_WEAK_SUBPAGE, READS_WITH_BORROWED_PARITY = 3, 1
MODEST_AMPLIFICATION = 15

# The abstract and section IV-B, Figure 7(a): reads with SRS+FPA faster than with SOML.
MEAN_REDUCTION = 46
SMALLEST_REDUCTION, LARGEST_REDUCTION = 10, 73

# Section IV-C, Figure 7(f).
ADDED_PAGES = 4
