// SPDX-License-Identifier: Apache-2.0
// How pages are programmed: each with an ISPP step, as fast as what it holds and for whom it is written allow. What is
// programmed in one block may be in a mode of the block, which the controller remembers until the block is erased.
// Variants: normal, cdber, rr_10week, rr_2week, cdber_rr_10week, cdber_rr_2week.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "controller/addresses/ids.h"
#include "controller/flash_ops/write_facts.h"
#include "controller/mapping/drive_clock.h"
#include "controller/writing/page_program.h"
#include "core/registry.h"
#include "core/ticks.h"

namespace nandscape::controller {

class BlockGuarantees;
struct GuaranteeContext;

// A page that has got its place and is about to be sent: its address and its data stand in its command.
struct PlacedPage {
  const PageProgram& page;
  std::uint32_t type;       // of the pages of its wordline, from the lowest bit on; the last one programs the cells
  std::uint8_t block_mode;  // of the block that it goes to
  // Of its wordline, the page that was programmed first, or for that one itself the page that will be programmed last;
  // null where it is not known.
  const PageProgram* other_of_wordline = nullptr;
};

class WriteModePolicy {
 public:
  virtual ~WriteModePolicy() = default;

  // Whether all pages are programmed with the device's own step: then nothing else is asked.
  virtual bool plain() const { return false; }
  // A block is opened for a page of that origin: the mode that all of its pages will be in. It survives a loss of power
  // in the tags of pages with data. 0: none of its own.
  virtual std::uint8_t mode_of_block(Superblock /*block*/, PageOrigin /*opened_for*/, Tick /*now*/) { return 0; }
  // The ISPP step of the page, in mV; 0: the device's own. Asked once for each program, and again if it has to be
  // repeated elsewhere.
  virtual std::uint16_t step_mv(const PlacedPage& page) = 0;
  // Whether the steps go by both pages of a wordline, so that these are gathered before the first is encoded
  // (writing/wordline_pairs.h).
  virtual bool goes_by_wordline() const { return false; }
  // Whether pages may be of a state map (content/state_mapping.h); and of which, by the bytes of both.
  virtual bool maps_states() const { return false; }
  virtual std::uint8_t state_map(std::span<const std::byte> /*first*/, std::span<const std::byte> /*last*/) const {
    return 0;
  }
  // What it takes that blocks in its modes keep their data (migration/block_guarantees.h); null: nothing.
  virtual std::unique_ptr<BlockGuarantees> make_guarantees(const GuaranteeContext& context);
};

struct WriteModeContext {
  const WriteFacts& facts;
  const DriveClock& clock;
};

using WriteModeRegistry = Registry<WriteModePolicy, const WriteModeContext&>;
const WriteModeRegistry& write_mode_registry();

}  // namespace nandscape::controller
