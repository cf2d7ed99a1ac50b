// SPDX-License-Identifier: Apache-2.0
// What the soak leaves out because the drive is known to go wrong there. Empty when nothing is known.
#pragma once

namespace nandscape::soak::excluded {

// A forced write that comes behind writes which a reset has aborted, in a cache that keeps writes.
inline constexpr bool reset_with_cached_writes = true;
// Programs that fail where there is no capacitor: with parity, with streams `hot_cold`, with victims by `fifo`.
inline constexpr bool failing_programs_without_capacitor = true;
// Sectors of a trim that are not whole mapping units keep what they hold.
inline constexpr bool trimmed_parts_of_units = true;

}  // namespace nandscape::soak::excluded
