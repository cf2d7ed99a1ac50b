// SPDX-License-Identifier: Apache-2.0
// What the soak leaves out because the drive is known to go wrong there. Empty when nothing is known.
#pragma once

namespace nandscape::soak::excluded {

// Programs that fail where there is no capacitor: with parity, with streams `hot_cold`, with victims by `fifo`.
inline constexpr bool failing_programs_without_capacitor = true;
// Sectors of a trim that are not whole mapping units keep what they hold.
inline constexpr bool trimmed_parts_of_units = true;

// A drive that has become read-only, for no failure, by what was written to its last free blocks round a power cut.
inline constexpr bool read_only_after_power_cut = true;
// On a capacitor, a drive that finds no room goes on for as long as there is power.
inline constexpr bool save_that_never_ends = true;
// After failures, a drive that is shut down or saved may find no room for what it has left.
inline constexpr bool no_rest_after_failures = true;

// A cache takes writes when the drive has become read-only, and loses them.
inline constexpr bool cached_writes_when_read_only = true;

}  // namespace nandscape::soak::excluded
