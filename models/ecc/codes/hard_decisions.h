// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nandscape::ecc {

// Sets each bit to 1 if its log-likelihood ratio is positive, and to 0 otherwise. The unused bits of the last byte are
// set to 0.
void decide_by_signs(std::span<const std::int8_t> llr, std::byte* bits);

}  // namespace nandscape::ecc
