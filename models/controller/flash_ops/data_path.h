// SPDX-License-Identifier: Apache-2.0
// The path of pages between controller and flash: their layout, their content, and the ECC engines.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ticks.h"
#include "protocol/page_layout.h"

namespace nandscape::controller {

// How much of the content of pages the simulation keeps.
enum class PageContent : std::uint8_t {
  none,
  data,            // host data
  data_and_spare,  // host data, and the parity that a real codec needs
};

// Times for a whole flash page.
struct PageTimes {
  Tick read = 0;  // in the array, averaged over the pages of a wordline
  Tick program = 0;
  Tick bus = 0;
  Tick erase = 0;   // for a block
  Tick encode = 0;  // in the engine, which several channels may share
  std::uint32_t pages_per_wordline = 1;
};

// A code for pages.
struct PathCode {
  std::uint32_t engines = 0;           // the engine group for this code
  std::uint32_t correctable_bits = 0;  // per codeword; approximate for some codes
};

// Channel c uses encoder c modulo `encoders` and decoder c modulo `decoders`.
struct EngineGroup {
  std::uint32_t decoders = 1;
  std::uint32_t encoders = 1;
  std::uint32_t engines() const { return decoders > encoders ? decoders : encoders; }
};

struct DataPath {
  PageLayout layout;  // layout of the codewords by which errors are counted
  PageContent content = PageContent::none;
  bool count_codeword_errors = false;  // the decoder needs the error count of each codeword
  bool scramble = false;
  std::vector<EngineGroup> engines = std::vector<EngineGroup>(1);
  std::vector<PathCode> codes = std::vector<PathCode>(1);  // by code number; 0 is the ordinary code
  std::uint32_t longest_codeword_bytes = 0;                // over all codes; 0: as in `layout`

  std::uint32_t engine_count() const {
    std::uint32_t count = 0;
    for (const EngineGroup& group : engines) count += group.engines();
    return count;
  }
  // Reads transfer a multiple of this number of bytes, so that they contain whole codewords of any code.
  std::uint32_t read_bytes() const {
    return longest_codeword_bytes == 0 ? layout.codeword_bytes : longest_codeword_bytes;
  }
  bool keeps_data() const { return content != PageContent::none; }
  std::uint32_t buffer_bytes() const {
    if (content == PageContent::none) return 0;
    return content == PageContent::data ? layout.page_bytes : layout.total_bytes();
  }
};

}  // namespace nandscape::controller
