// SPDX-License-Identifier: Apache-2.0
// The data randomiser. It makes pages of any content look random, so that the states of their cells are equally likely.
//
// An additive scrambler: bytes are added (XOR) to the output of a linear feedback shift register whose polynomial
// x^58 + x^39 + 1 is primitive, so scrambling twice gives the bytes back. The register starts from the page's address,
// mixed, so that equal data on neighbouring pages and wordlines become different ones. As in hardware the register
// yields 32 bits a step, the lowest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nandscape::ecc {

// After so many bytes the register starts anew, so that parts of a page are scrambled by themselves.
inline constexpr std::uint32_t scrambler_sequence_bytes = 512;

// What the register starts from before the bytes number `sequence` * scrambler_sequence_bytes of a page.
std::uint64_t scrambler_start(std::uint64_t seed, std::uint32_t sequence);

// Scrambles the bytes of a page from `first_byte` on, or makes them plain again.
void scramble(std::uint64_t seed, std::uint32_t first_byte, std::span<std::byte> bytes);

}  // namespace nandscape::ecc
