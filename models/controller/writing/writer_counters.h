// SPDX-License-Identifier: Apache-2.0
// Counters of the page writer.
#pragma once

#include <cstdint>

namespace nandscape::controller {

struct WriterCounters {
  std::uint64_t programmed_pages = 0;  // pages that got a place
  std::uint64_t padding_pages = 0;
  std::uint64_t host_pages = 0;      // pages with data of the host
  std::uint64_t unfilled_units = 0;  // units by which pages with data fell short of full
  std::uint64_t failed_programs = 0;
  std::uint64_t changed_codes = 0;  // pages encoded again because of their place
};

}  // namespace nandscape::controller
