// SPDX-License-Identifier: Apache-2.0
// The data randomiser: makes pages of any content look random, so that all states of their cells are equally likely.
//
// An additive scrambler: bytes are XORed with the output of a linear feedback shift register, so scrambling twice
// restores them. The register's polynomial x^58 + x^39 + 1 is primitive. The register starts from a mix of the page's
// address, so equal data on neighbouring pages and wordlines become different. As in hardware, the register yields 32
// bits a step, the lowest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nandscape::ecc {

// Scrambles or descrambles the bytes of a page from `first_byte` onward.
void scramble(std::uint64_t seed, std::uint32_t first_byte, std::span<std::byte> bytes);

}  // namespace nandscape::ecc
