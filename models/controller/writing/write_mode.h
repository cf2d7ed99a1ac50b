// SPDX-License-Identifier: Apache-2.0
// Chooses the ISPP step that each page is programmed with: the fastest that its content and the writer of its data
// allow. A block may have a mode for all its pages, which the controller remembers until the block is erased.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "controller/addresses/ids.h"
#include "controller/content/content_engine.h"
#include "controller/mapping/power_state.h"
#include "controller/writing/page_program.h"
#include "core/parameters.h"
#include "core/registry.h"
#include "core/ticks.h"

namespace nandscape::controller {

// Facts of the flash and of the drive that write modes depend on.
struct WriteFacts {
  double step_mv = 250;  // the device's own ISPP step
  // A step above this limit lifts cells of one state into the next. Ideal cells have no such limit.
  double largest_step_mv = std::numeric_limits<double>::infinity();
  // The ratio of the raw bit error rate of a page just programmed with that step to the rate that the code corrects.
  // Empty if the cells have no errors.
  std::function<double(double step_mv)> young_errors{};
  ContentFacts content{};  // without step tables
  // Returns the content facts with step tables for data that are kept for `months` at 30 C. The call is slow.
  std::function<ContentFacts(double months)> content_kept_for{};
  // The largest ISPP step, in mV, with which content of equally frequent states is correctable after `months`; the
  // device's own step if there is none. Empty if the cells have no errors.
  std::function<double(double months)> largest_step_kept_for{};
};

// Configuration group `controller.write_mode`.
struct WriteModeParameters {
  VariantChoice policy{"built_in", nullptr};
  std::uint32_t kept_weeks = 0;  // how long host writes must last; 0: as long as all other data
  bool by_content = false;
  double step_ratio = 0;

  // Whether the other keys count: only the built-in policy reads them.
  bool built_in() const { return policy.name == "built_in"; }
  // Whether all pages are programmed with the device's own step.
  bool plain() const { return built_in() && kept_weeks == 0 && !by_content; }
  // Whether the content of a page decides its step.
  bool goes_by_content() const { return built_in() && by_content; }
  // Whether steps are derived from the cells, as `controller.content` says.
  bool derives_steps() const { return built_in() && (by_content || (kept_weeks != 0 && step_ratio == 0)); }
};
void describe(WriteModeParameters& p, ParameterVisitor& v);

class BlockGuarantees;
struct GuaranteeContext;

// A page that has its place and is about to be sent. Its command holds its address and data.
struct PlacedPage {
  const PageProgram& page;
  std::uint32_t type;       // number of the page in its wordline, lowest bit first; the last one programs the cells
  std::uint8_t block_mode;  // mode of the page's block
  // The page of its wordline that was programmed first. For the first page of a pair: the page that will be programmed
  // last. Null if it is not known.
  const PageProgram* other_of_wordline = nullptr;
};

class WriteModePolicy {
 public:
  virtual ~WriteModePolicy() = default;

  // Whether all pages are programmed with the device's own step. The other functions then do not matter.
  virtual bool plain() const { return false; }
  // A block is opened for a page of that origin: returns the mode of all its pages, or 0 for none. The tags of pages
  // with data carry the mode, so that it survives a loss of power.
  virtual std::uint8_t mode_of_block(Superblock /*block*/, PageOrigin /*opened_for*/, Tick /*now*/) { return 0; }
  // A mode that gives a block the same shape (mapping/block_shape.h) as the mode that mode_of_block() would return now.
  virtual std::uint8_t expected_mode(FtlPlane /*plane*/, PageOrigin /*opened_for*/) const { return 0; }
  // The ISPP step of the page, in mV; 0 is the device's own. Called once for each program, and again if the program has
  // to be repeated elsewhere.
  virtual std::uint16_t step_mv(const PlacedPage& page) = 0;
  // Whether steps depend on both pages of a wordline, which are then gathered before the first is encoded
  // (writing/page_encoding.h).
  virtual bool goes_by_wordline() const { return false; }
  // Whether pages may be mapped to other states (content/state_mapping.h), and the map for the bytes of both pages of a
  // wordline.
  virtual bool maps_states() const { return false; }
  virtual std::uint8_t state_map(std::span<const std::byte> /*first*/, std::span<const std::byte> /*last*/) const {
    return 0;
  }
  // Makes the object that preserves the data in blocks of this policy's modes (migration/block_guarantees.h). Null if
  // none is needed.
  virtual std::unique_ptr<BlockGuarantees> make_guarantees(const GuaranteeContext& context);
};

struct WriteModeContext {
  const WriteModeParameters& parameters;
  const WriteFacts& facts;
  const DriveClock& clock;
};

using WriteModeRegistry = Registry<WriteModePolicy, const WriteModeContext&>;
WriteModeRegistry& write_mode_registry();

}  // namespace nandscape::controller
