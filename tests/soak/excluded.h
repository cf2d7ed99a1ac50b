// SPDX-License-Identifier: Apache-2.0
// What the soak leaves out because the drive is known to go wrong there. Empty when nothing is known.
#pragma once

namespace nandscape::soak::excluded {

// With parity, a power cut leaves so few superblocks that the drive becomes read-only, for no failure.
inline constexpr bool parity_after_power_cuts = true;
// A capacitor of the cache alone: a drive that finds no room for what it saves goes on for as long as there is power.
inline constexpr bool save_that_never_ends = true;
// A cache takes writes when the drive has become read-only, and loses them.
inline constexpr bool cached_writes_when_read_only = true;

}  // namespace nandscape::soak::excluded
