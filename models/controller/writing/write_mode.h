// SPDX-License-Identifier: Apache-2.0
// Chooses the ISPP step with which each page is programmed. The larger the step, the faster the program, but the
// shorter the retention. The step may depend on the content of the page and on who writes it. All pages of a block may
// share a mode, which the controller stores until the block is erased.
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

// Facts about the flash and the drive from which write modes derive their steps.
struct WriteFacts {
  double step_mv = 250;  // the default ISPP step of the device
  // The largest step with which the cells of one state are not raised into the next state. Ideal cells have no such
  // limit.
  double largest_step_mv = std::numeric_limits<double>::infinity();
  // Returns the raw bit error rate of a page just programmed with the step, divided by the highest rate that the code
  // corrects. The function is empty if the cells have no errors.
  std::function<double(double step_mv)> young_errors{};
  ContentFacts content{};  // the content facts, but without step tables
  // Returns the content facts, with step tables for data that are kept for `months` at 30 C. The call is slow, because
  // it computes the error rates of the cells.
  std::function<ContentFacts(double months)> content_kept_for{};
  // Returns the largest ISPP step, in mV, with which a page can still be corrected after `months` if all states are
  // equally frequent. Returns the default step of the device if no step suffices. The function is empty if the cells
  // have no errors.
  std::function<double(double months)> largest_step_kept_for{};
};

// Configuration group `controller.write_mode`.
struct WriteModeParameters {
  VariantChoice policy{"built_in", nullptr};
  std::uint32_t kept_weeks = 0;  // how long host writes must be readable; 0: as long as all other data
  bool by_content = false;
  double step_ratio = 0;

  // Returns whether the other parameters are used. Only the built-in policy uses them.
  bool built_in() const { return policy.name == "built_in"; }
  // Returns whether all pages are programmed with the default step of the device.
  bool plain() const { return built_in() && kept_weeks == 0 && !by_content; }
  // Returns whether the step of a page depends on its content.
  bool goes_by_content() const { return built_in() && by_content; }
  // Returns whether the steps are computed from the cell model, with the parameters of `controller.content`.
  bool derives_steps() const { return built_in() && (by_content || (kept_weeks != 0 && step_ratio == 0)); }
};
void describe(WriteModeParameters& p, ParameterVisitor& v);

class BlockGuarantees;
struct GuaranteeContext;

// A page that has been placed and is about to be sent to its die. Its command contains its address and data.
struct PlacedPage {
  const PageProgram& page;
  std::uint32_t type;       // number of the page in its wordline; the page with the highest number programs the cells
  std::uint8_t block_mode;  // mode of the page's block
  // The other page of the wordline: normally the page that was programmed first, and for the first page of a pair, the
  // page that will be programmed last. Null if it is not known.
  const PageProgram* other_of_wordline = nullptr;
};

class WriteModePolicy {
 public:
  virtual ~WriteModePolicy() = default;

  // Returns whether all pages are programmed with the default step of the device. If so, the other functions are not
  // used.
  virtual bool plain() const { return false; }
  // Called when a block is opened for a page of that origin. Returns the mode of all pages of the block, or 0 if it has
  // no mode. The mode is stored in the tags of pages with data, so it survives a loss of power.
  virtual std::uint8_t mode_of_block(Superblock /*block*/, PageOrigin /*opened_for*/, Tick /*now*/) { return 0; }
  // Returns the mode that mode_of_block() would return now, or another mode with the same block shape (see
  // mapping/block_shape.h).
  virtual std::uint8_t expected_mode(FtlPlane /*plane*/, PageOrigin /*opened_for*/) const { return 0; }
  // Returns the ISPP step of the page in mV, or 0 for the default step of the device. Called once for each program, and
  // again if the page has to be programmed elsewhere.
  virtual std::uint16_t step_mv(const PlacedPage& page) = 0;
  // Returns whether the step depends on both pages of a wordline. If so, both are gathered before the first is encoded
  // (see writing/page_encoding.h).
  virtual bool goes_by_wordline() const { return false; }
  // maps_states() returns whether the states of pages may be mapped to other states (see content/state_mapping.h).
  // state_map() returns the number of the map for the two pages of a wordline, given their bytes.
  virtual bool maps_states() const { return false; }
  virtual std::uint8_t state_map(std::span<const std::byte> /*first*/, std::span<const std::byte> /*last*/) const {
    return 0;
  }
  // Creates the object that preserves the data in blocks with modes of this policy (see migration/block_guarantees.h).
  // Returns null if no such object is needed.
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
