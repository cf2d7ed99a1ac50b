// SPDX-License-Identifier: Apache-2.0
// The pages of a wordline that stay at a refresh: Table I of [Choi 2018], for any number of pages per wordline.
#pragma once

#include <cstdint>

namespace nandscape::controller {

// A set of pages of a wordline: bit p is the page of type p; bit 0 is the LSB page.
using PageSet = std::uint32_t;

// Cases 1 to 4: if the page with the most senses (the last one) is valid, all valid pages but the LSB stay, and the LSB
// page is moved. Cases 5 to 8: none stays.
constexpr PageSet staying_pages(PageSet valid, std::uint32_t pages_per_wordline) {
  const PageSet top = PageSet{1} << (pages_per_wordline - 1);
  return (valid & top) != 0 ? valid & ~PageSet{1} : 0;
}

}  // namespace nandscape::controller
