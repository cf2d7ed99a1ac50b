// SPDX-License-Identifier: Apache-2.0
// The data randomiser. It makes every page look random, so that all states of the cells are equally likely whatever the
// data.
//
// The scrambler is additive: the bytes are XORed with the output of a linear feedback shift register, so scrambling a
// second time restores the data. The polynomial of the register, x^58 + x^39 + 1, is primitive. The initial state of
// the register is a hash of the page's address, so that equal data become different on neighbouring pages and
// wordlines. As in hardware, the register yields 32 bits in each step, beginning with the lowest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nandscape::ecc {

// Scrambles or descrambles `bytes`, which are the bytes of a page from `first_byte` on.
void scramble(std::uint64_t seed, std::uint32_t first_byte, std::span<std::byte> bytes);

}  // namespace nandscape::ecc
