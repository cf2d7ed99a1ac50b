// SPDX-License-Identifier: Apache-2.0
// Facts about the path that pages take between the controller and the flash: the layout of a page, the part of its
// content that is simulated, and the ECC engines.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ticks.h"
#include "protocol/page_layout.h"

namespace nandscape::controller {

// The part of a page's content that the simulation stores.
enum class PageContent : std::uint8_t {
  none,
  data,            // host data
  data_and_spare,  // host data, and the parity that a real codec needs
};

// Durations of the operations on a whole flash page.
struct PageTimes {
  Tick read = 0;             // array time, averaged over the pages of a wordline
  Tick program = 0;          // likewise, in all passes
  Tick longest_program = 0;  // array time of one program operation
  Tick bus = 0;              // of one transfer; a program has one for each pass
  Tick erase = 0;            // duration of a block erase
  Tick encode = 0;           // time in an ECC engine, which several channels may share
  std::uint32_t pages_per_wordline = 1;
  std::uint32_t passes = 1;  // passes that program a wordline

  // The time to write a page, in all passes.
  Tick write() const { return program + passes * bus + encode; }
  // The most wordlines of a block that are incomplete at a time: with two passes, one that is being filled and two that
  // wait for their second pass.
  std::uint32_t open_wordlines() const { return 2 * passes - 1; }
};

// An error-correcting code that the drive can use for pages.
struct PathCode {
  std::uint32_t engines = 0;           // index of the engine group for this code
  std::uint32_t soft_engines = 0;      // index of the engine group that decodes soft reads of this code
  std::uint32_t correctable_bits = 0;  // per codeword; approximate for some codes
};

// The ECC engines for one code. Channel c uses the encoder of engine number c modulo `encoders` and the decoder of
// engine number c modulo `decoders`. An engine with several units is a pool: it has that many encoders and decoders.
struct EngineGroup {
  std::uint32_t decoders = 1;
  std::uint32_t encoders = 1;  // 0: the group only decodes
  std::uint32_t units = 1;     // of each engine
  std::uint32_t engines() const { return decoders > encoders ? decoders : encoders; }
};

struct DataPath {
  PageLayout layout;  // codewords for which bit errors are counted
  PageContent content = PageContent::none;
  bool count_codeword_errors = false;  // whether the decoder needs the error count of each codeword
  bool scramble = false;
  std::vector<EngineGroup> engines = std::vector<EngineGroup>(1);
  std::vector<PathCode> codes = std::vector<PathCode>(1);  // by code number; code 0 is the ordinary code
  std::uint32_t longest_codeword_bytes = 0;                // maximum over all codes; 0: use the length in `layout`

  std::uint32_t engine_count() const { return first_engine(static_cast<std::uint32_t>(engines.size())); }
  // Returns the number of the first engine of a group.
  std::uint32_t first_engine(std::uint32_t group) const {
    std::uint32_t first = 0;
    for (std::uint32_t k = 0; k < group; ++k) first += engines[k].engines();
    return first;
  }
  // Return the numbers of the engines that encode the pages of a channel and that decode its hard or soft reads.
  std::uint32_t encoder_of(std::uint32_t channel, const PathCode& code) const {
    return first_engine(code.engines) + channel % engines[code.engines].encoders;
  }
  std::uint32_t decoder_of(std::uint32_t channel, const PathCode& code, bool soft) const {
    const std::uint32_t group = soft ? code.soft_engines : code.engines;
    return first_engine(group) + channel % engines[group].decoders;
  }
  // The granularity of read transfers. A read transfers a multiple of this number of bytes, so that whole codewords are
  // transferred whichever code the page uses.
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
