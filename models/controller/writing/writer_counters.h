// SPDX-License-Identifier: Apache-2.0
// What the page writer counts.
#pragma once

#include <cstdint>

namespace nandscape::controller {

struct WriterCounters {
  std::uint64_t programmed_pages = 0;  // that have got a place
  std::uint64_t padding_pages = 0;
  std::uint64_t host_pages = 0;      // with what the host wrote
  std::uint64_t unfilled_units = 0;  // that pages with data had room for
  std::uint64_t failed_programs = 0;
  std::uint64_t changed_codes = 0;  // pages that their place made to be encoded once more
};

}  // namespace nandscape::controller
