# SPDX-License-Identifier: Apache-2.0
"""Writing faster what need not be kept for a year: the model of Liu, Yang and Wu (FAST 2012).

>>> ns.retention_relaxation.write_speedup(weeks=10)

The defaults are the paper's typical case. `rber_1_year`: raw bit error rate after a year at the device's own speed.
`m`: power of time with which errors grow. `c_write`: that rate over the one right after writing. `c_write_high`: share
of the errors of writing that lie above the intended level. All functions raise ValueError for numbers out of their
range, and where no cells behave as the numbers say.
"""

from nandscape import _core
from nandscape.arguments import index, number


def write_speedup(
    weeks: float, m: float = 1.25, c_write: float = 300, c_write_high: float = 0.81, rber_1_year: float = 4.5e-4
) -> float:
    """How much faster a page is written that needs to be read for `weeks` only, not for a year (Algorithm 1).

    The ECC corrects `rber_1_year`, so that one year gives 1.
    """
    numbers = {"weeks": weeks, "rber_1_year": rber_1_year, "m": m, "c_write": c_write, "c_write_high": c_write_high}
    return _core.write_speedup(**{name: number(name, given) for name, given in numbers.items()})


def bch_retention_weeks(
    rber_1_year: float, m: float = 1.25, c_write: float = 300, correctable_rber: float = 4.5e-4
) -> float | None:
    """Weeks until cells that have `rber_1_year` after a year reach what the ECC corrects (Algorithm 2).

    None when the errors of writing are too many already. The default ECC is BCH of 24 bits in 1080 bytes.
    """
    numbers = {"rber_1_year": rber_1_year, "correctable_rber": correctable_rber, "m": m, "c_write": c_write}
    return _core.retention_weeks(**{name: number(name, given) for name, given in numbers.items()})


def tolerable_rber(
    uber: float = 1e-16, *, codeword_bits: int = 8640, user_bits: int = 8192, correctable: int = 24
) -> float:
    """The raw bit error rate at which a code has the uncorrectable bit error rate `uber` (equation 1)."""
    bits = index("codeword_bits", codeword_bits), index("user_bits", user_bits)
    return _core.tolerable_rber(number("uber", uber), *bits, index("correctable", correctable))
