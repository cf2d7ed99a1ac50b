// SPDX-License-Identifier: Apache-2.0
// Chooses the ISPP step that each page is programmed with: as fast as its content and the writer of its data allow. All
// pages of a block may be in a mode of the block, which the controller remembers until the block is erased.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "controller/addresses/ids.h"
#include "controller/flash_ops/write_facts.h"
#include "controller/mapping/drive_clock.h"
#include "controller/writing/page_program.h"
#include "controller/writing/parameters.h"
#include "core/registry.h"
#include "core/ticks.h"

namespace nandscape::controller {

class BlockGuarantees;
struct GuaranteeContext;

// A page that has its place and is about to be sent. Its command holds its address and data.
struct PlacedPage {
  const PageProgram& page;
  std::uint32_t type;  // number of the page in its wordline, from the lowest bit on; the last one programs the cells
  std::uint8_t block_mode;  // of the page's block
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
  // The ISPP step of the page, in mV; 0 is the device's own. Called once for each program, and again if the program has
  // to be repeated elsewhere.
  virtual std::uint16_t step_mv(const PlacedPage& page) = 0;
  // Whether steps depend on both pages of a wordline, which are then gathered before the first is encoded
  // (writing/wordline_pairs.h).
  virtual bool goes_by_wordline() const { return false; }
  // Whether pages may be mapped to other states (content/state_mapping.h), and the map for the bytes of both pages of a
  // wordline.
  virtual bool maps_states() const { return false; }
  virtual std::uint8_t state_map(std::span<const std::byte> /*first*/, std::span<const std::byte> /*last*/) const {
    return 0;
  }
  // Makes the object that keeps data in blocks of this policy's modes from decaying (migration/block_guarantees.h).
  // Null if none is needed.
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
