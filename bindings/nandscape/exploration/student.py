# SPDX-License-Identifier: Apache-2.0
"""Student's t distribution, which the standard library lacks."""

from functools import lru_cache
from math import exp, lgamma, log, log1p, sqrt


def two_sided(t: float, degrees: float) -> float:
    """Returns the probability P(|T| > |t|). `degrees`: the degrees of freedom, greater than 0."""
    if t == 0:
        return 1.0
    # P(|T| > t) = I_x(n/2, 1/2) with x = n / (n + t^2). See Abramowitz and Stegun, 26.7.1.
    return _beta_share(degrees / (degrees + t * t), degrees / 2, 0.5)


@lru_cache
def quantile(level: float, degrees: float) -> float:
    """Returns the t for which P(|T| <= t) equals `level`, which must be at least 0 and less than 1. `degrees`: the
    degrees of freedom."""
    outside = 1 - level
    high = 1.0
    while two_sided(high, degrees) > outside:
        high *= 2
    low = 0.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if two_sided(middle, degrees) > outside:
            low = middle
        else:
            high = middle
    return high


def _beta_share(x: float, a: float, b: float) -> float:
    """Returns the regularised incomplete beta function I_x(a, b)."""
    if x >= 1:
        return 1.0
    if x <= 0:
        return 0.0
    if x > (a + 1) / (a + b + 2):  # the continued fraction converges fast for x up to this bound
        return 1 - _beta_share(1 - x, b, a)
    factor = exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b))
    return factor * _fraction(x, a, b) / a


def _fraction(x: float, a: float, b: float) -> float:
    """Evaluates the continued fraction 1/(1 + d1/(1 + d2/(1 + ...))) of I_x(a, b) (Abramowitz and Stegun, 26.5.8). The
    evaluation begins with the last term that is used. Later terms would not change the value. The index of this term
    grows with the square root of the larger of a and b."""
    value = 1.0
    for m in range(20 + int(4 * sqrt(max(a, b))), -1, -1):
        even = (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        value = 1 + odd / (1 + even / value)
    return 1 / value
