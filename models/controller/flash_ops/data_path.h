// SPDX-License-Identifier: Apache-2.0
// The controller's knowledge of the flash and of the ECC engines.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_ops/write_facts.h"
#include "controller/mapping/block_age.h"
#include "core/parameters.h"
#include "core/ticks.h"
#include "protocol/page_layout.h"

namespace nandscape::controller {

class ReadTimingTable;

// The content of pages that the simulation keeps.
enum class PageContent : std::uint8_t {
  none,
  data,            // host data
  data_and_spare,  // and the parity that a real codec needs
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
  PageLayout layout;  // if codes differ in layout: the codewords by which errors are counted
  PageContent content = PageContent::none;
  bool count_codeword_errors = false;  // the decoder needs the errors of each codeword
  bool scramble = false;
  std::uint32_t pages_per_wordline = 1;
  std::uint32_t retry_steps = 0;                       // in the flash's retry table
  std::uint32_t layers = 1;                            // layers over which a block's wordlines are spread
  bool first_layer_by_block = false;                   // the layer of a block's first page depends on the block
  LayerSteps step_of_layers;                           // set if reads before the simulation are remembered
  std::shared_ptr<const ReadTimingTable> read_timing;  // for read-retry policies that adapt the timing
  std::vector<EngineGroup> engines = {{}};
  std::vector<PathCode> codes = {{}};           // by number; 0 is the ordinary code
  std::uint32_t longest_codeword_bytes = 0;     // over all codes; 0: as in `layout`
  VariantChoice selection{"uniform", nullptr};  // the `ecc.selection` policy
  ScrambleBytes scrambler;                      // set if pages are scrambled
  SegmentLimits segment_limits;                 // derived from the cells, if the selection asks
  // The initial age and wear of the flash, and the effect of age and wear on data.
  BlockAge first_age;
  double running_hours = 1;  // hours at 30 C per hour of operation
  double rated_cycles = 3000;
  PageTimes page_times;
  RefreshContext refresh;
  WriteFacts write;

  std::uint32_t engine_count() const {
    std::uint32_t count = 0;
    for (const EngineGroup& group : engines) count += group.engines();
    return count;
  }
  // Reads move whole codewords of any code.
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
