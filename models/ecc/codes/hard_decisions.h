// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nandscape::ecc {

// The bits that log-likelihood ratios speak for, 1 where one is positive. Zeros fill up the last byte.
void decide_by_signs(std::span<const std::int8_t> llr, std::byte* bits);

}  // namespace nandscape::ecc
