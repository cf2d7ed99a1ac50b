// SPDX-License-Identifier: Apache-2.0
// The uncorrectable bit error rate (UBER), by equation 1 of Liu, Yang and Wu, "Optimizing NAND Flash-Based SSDs via
// Retention Relaxation" (FAST 2012). It is the probability that a codeword cannot be corrected, divided by the number
// of user bits in a codeword. An uncorrectable codeword thus counts as one error, as an uncorrectable sector does in
// JEDEC's JESD218.
#pragma once

#include <cstdint>

namespace nandscape::ecc {

// A code that corrects every codeword with up to `correctable` errors, and no codeword with more errors.
struct BlockCode {
  std::uint32_t codeword_bits = 0;  // N_CW in the paper
  std::uint32_t user_bits = 0;      // N_User in the paper
  std::uint32_t correctable = 0;    // number of correctable errors in a codeword, t
};

// The code that the paper describes as "24-bit error correction for 1080-byte data". The paper's tolerable RBER of
// 4.5e-4 results if the 1080 bytes are the whole codeword. With 336 additional parity bits it would be 4.3e-4. The
// devices that the paper cites have pages of 8640 bytes, which hold eight such codewords with 1024 bytes of user data
// each.
inline constexpr BlockCode bch_24_per_1080_bytes = {8 * 1080, 8 * 1024, 24};

// These functions return natural logarithms, because the rates can be too small for a double. They require 0 < rber <
// 1.
double log_frame_error_rate(const BlockCode& code, double rber);
double log_uber(const BlockCode& code, double rber);

// Returns the RBER at which the UBER equals `uber`.
double tolerable_rber(const BlockCode& code, double uber);

}  // namespace nandscape::ecc
