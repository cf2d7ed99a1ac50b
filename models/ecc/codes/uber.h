// SPDX-License-Identifier: Apache-2.0
// Uncorrectable bit errors: equation 1 of Liu, Yang and Wu, "Optimizing NAND Flash-Based SSDs via Retention Relaxation"
// (FAST 2012). UBER is the probability that a codeword cannot be corrected, divided by its user bits: such a codeword
// counts as one error, as JEDEC's JESD218 counts sectors.
#pragma once

#include <cstdint>

namespace nandscape::ecc {

// A code that corrects up to `correctable` errors of a codeword and no more.
struct BlockCode {
  std::uint32_t codeword_bits = 0;  // N_CW
  std::uint32_t user_bits = 0;      // N_User
  std::uint32_t correctable = 0;    // t, in each codeword
};

// The paper's "24-bit error correction for 1080-byte data". Its tolerable RBER of 4.5e-4 results if the 1080 bytes are
// the whole codeword; with 336 additional parity bits it would be 4.3e-4. A page of the devices that the paper cites
// has 8640 bytes: eight such codewords, each with 1024 bytes of user data.
inline constexpr BlockCode bch_24_per_1080_bytes = {8 * 1080, 8 * 1024, 24};

// Natural logarithms, since the rates can be too small for a double. Requires 0 < rber < 1.
double log_frame_error_rate(const BlockCode& code, double rber);
double log_uber(const BlockCode& code, double rber);

// The RBER at which UBER is `uber`.
double tolerable_rber(const BlockCode& code, double uber);

}  // namespace nandscape::ecc
