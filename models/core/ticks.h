// SPDX-License-Identifier: Apache-2.0
// Simulated time. One tick is one picosecond, so 64 bits hold 213 days. Storage times of weeks and years are not
// simulated in ticks. They are added to the retention age of the stored data instead.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace nandscape {

using Tick = std::uint64_t;

inline constexpr Tick picosecond = 1;
inline constexpr Tick nanosecond = 1'000;
inline constexpr Tick microsecond = 1'000'000;
inline constexpr Tick millisecond = 1'000'000'000;
inline constexpr Tick second = 1'000'000'000'000;

// A time that never comes.
inline constexpr Tick never = std::numeric_limits<Tick>::max();

// Rounds a non-negative duration in ticks to the nearest tick. This version is fast enough for computations that are
// made for every command.
inline Tick nearest_tick(double ticks) {
  // Converts to a signed integer first, because conversions between double and unsigned 64-bit integers need several
  // instructions. A call of llround() would cost more than the computation of its argument.
  // NOLINTNEXTLINE(bugprone-incorrect-roundings)
  return static_cast<Tick>(static_cast<std::int64_t>(ticks + 0.5));
}

// Each function converts a duration from the unit of a configuration key and rounds it to the nearest tick.
inline Tick ticks_from_ns(double nanoseconds) { return static_cast<Tick>(std::llround(nanoseconds * 1e3)); }
inline Tick ticks_from_us(double microseconds) { return static_cast<Tick>(std::llround(microseconds * 1e6)); }
inline Tick ticks_from_ms(double milliseconds) { return static_cast<Tick>(std::llround(milliseconds * 1e9)); }
inline Tick ticks_from_s(double seconds) { return static_cast<Tick>(std::llround(seconds * 1e12)); }

// Retention times are given in months. A month is a twelfth of a year.
inline constexpr double hours_per_month = 730;

inline double us_from_ticks(Tick ticks) { return static_cast<double>(ticks) * 1e-6; }
inline double s_from_ticks(Tick ticks) { return static_cast<double>(ticks) * 1e-12; }

}  // namespace nandscape
