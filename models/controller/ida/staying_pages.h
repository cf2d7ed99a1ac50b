// SPDX-License-Identifier: Apache-2.0
// Which pages of a wordline stay when it is refreshed: Table I of [Choi 2018], for any number of pages in a wordline.
#pragma once

#include <cstdint>

namespace nandscape::controller {

// Sets of pages have bit p for the page of type p; bit 0 is the LSB.
using PageSet = std::uint32_t;

// Cases 1 to 4, in which the page read by the most senses (the last one) is valid: all valid pages but the LSB stay,
// and the LSB is moved. Cases 5 to 8: none does.
constexpr PageSet staying_pages(PageSet valid, std::uint32_t pages_per_wordline) {
  const PageSet top = PageSet{1} << (pages_per_wordline - 1);
  return (valid & top) != 0 ? valid & ~PageSet{1} : 0;
}

}  // namespace nandscape::controller
