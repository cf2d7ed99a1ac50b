// SPDX-License-Identifier: Apache-2.0
// What the controller has to know of the flash and the ECC engines that pages pass through.
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

// What pages carry with them through the simulation.
enum class PageContent : std::uint8_t {
  none,
  data,            // the bytes of the host
  data_and_spare,  // with the parity that a real codec corrects them by
};

// Of a whole page of the flash.
struct PageTimes {
  Tick read = 0;  // in the array, on average over the pages of a wordline
  Tick program = 0;
  Tick bus = 0;
  Tick erase = 0;   // of a block
  Tick encode = 0;  // in the engine, which may serve several channels
  std::uint32_t pages_per_wordline = 1;
};

// A code that pages are encoded by.
struct PathCode {
  std::uint32_t engines = 0;           // the group of engines that is for it
  std::uint32_t correctable_bits = 0;  // of a codeword, as far as that can be said of the code
};

// Channel c goes to encoder c modulo their number, and so for decoders.
struct EngineGroup {
  std::uint32_t decoders = 1;
  std::uint32_t encoders = 1;
  std::uint32_t engines() const { return decoders > encoders ? decoders : encoders; }
};

struct DataPath {
  PageLayout layout;  // where codes differ in theirs: of the codewords that errors are counted by
  PageContent content = PageContent::none;
  bool count_codeword_errors = false;  // the decoder asks for the errors of each codeword
  bool scramble = false;
  std::uint32_t pages_per_wordline = 1;
  std::uint32_t retry_steps = 0;                       // of the flash's retry table
  std::uint32_t layers = 1;                            // that the wordlines of a block are spread over
  bool first_layer_by_block = false;                   // of the flash's blocks, in which their pages begin
  LayerSteps step_of_layers;                           // where reads before the simulation are remembered
  std::shared_ptr<const ReadTimingTable> read_timing;  // for the policies of read-retry that adapt the timing
  std::vector<EngineGroup> engines = {{}};
  std::vector<PathCode> codes = {{}};           // by number, the ordinary one first
  std::uint32_t longest_codeword_bytes = 0;     // of them; 0: that of `layout`
  VariantChoice selection{"uniform", nullptr};  // which pages are of which code
  ScrambleBytes scrambler;                      // where pages are scrambled
  SegmentLimits segment_limits;                 // that follow from the cells, where the selection asks for them
  // What the controller knows of its flash: how old and worn it is from the start, and what that does to data.
  BlockAge first_age;
  double running_hours = 1;  // at 30 C, as which an hour counts while the device runs
  double rated_cycles = 3000;
  PageTimes page_times;
  RefreshContext refresh;
  WriteFacts write;

  std::uint32_t engine_count() const {
    std::uint32_t count = 0;
    for (const EngineGroup& group : engines) count += group.engines();
    return count;
  }
  // Reads move whole codewords, of whatever code.
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
