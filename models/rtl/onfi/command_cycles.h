// SPDX-License-Identifier: Apache-2.0
// The cycles that a host plays for a NandCommand, and what of a command they do not carry.
//
// Not carried, and refused: sensing levels and sensed ones, retry steps (the offsets of read levels are features), SLC
// mode, an ISPP step, single-operation reads, voltage adjustments, suspend and resume, error counts by codeword, and a
// tag unless the spare bytes take it. Not carried, and 0 or false afterwards: raw_bit_errors, worst_codeword_errors,
// misread_probability, bad_block_mark, erased_page, adjusted_block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "protocol/geometry.h"
#include "protocol/nand_command.h"
#include "rtl/onfi/addresses.h"
#include "rtl/onfi/host_bus.h"

namespace nandscape::rtl::onfi {

// What the spare bytes of a page are on the wires.
enum class SpareUse : std::uint8_t {
  unused,   // only data bytes move
  carried,  // `data` of a command holds them behind the page, and they move with any part of it
  tags,     // their last bytes hold the tag, 8 for each word, lowest byte first; `data` ends with the page
};

class CommandCycles {
 public:
  // Geometry must outlive it. Throws ConfigError when the address cycles cannot name all places of the die.
  CommandCycles(const Geometry& geometry, SpareUse spare) : geometry_(geometry), addresses_(geometry), spare_(spare) {}

  // Throws ProtocolError, with `player` as the name of who refuses, for what the wires do not carry.
  void check(const NandCommand& command, Interface interface, const std::string& player) const;

  // Up to the confirm cycle and tWB.
  std::vector<Cycle> request(const NandCommand& command, TimingMode mode);
  // 31h, of the page to read next; and 3Fh.
  std::vector<Cycle> cache_read(const NandCommand& next, TimingMode mode) const;
  std::vector<Cycle> cache_read_end(TimingMode mode) const;
  // A status byte of the target, or of the plane of the command.
  std::vector<Cycle> status(std::byte& into, TimingMode mode) const;
  std::vector<Cycle> plane_status(const NandCommand& command, std::byte& into, TimingMode mode) const;
  // Data-out of a command that is ready.
  std::vector<Cycle> response(NandCommand& command, TimingMode mode);
  // After response() has been played: what lay in buffers goes to the command.
  void take_response(NandCommand& command) const;
  std::vector<Cycle> reset(std::uint8_t code, TimingMode mode) const;
  std::vector<Cycle> set_timing_mode(TimingMode wanted, TimingMode mode);

 private:
  class Script;

  RowAddress row(const NandCommand& command) const { return {0, command.plane, command.block, command.page}; }
  bool moves_spare(const NandCommand& command) const { return spare_ == SpareUse::carried && command.data != nullptr; }
  std::uint32_t tag_bytes(const NandCommand& command) const {
    return static_cast<std::uint32_t>(command.tag.size() * sizeof(std::uint64_t));
  }
  std::uint32_t tag_column(const NandCommand& command) const {
    return geometry_.page_bytes + geometry_.spare_bytes - tag_bytes(command);
  }
  void page_in(Script& script, const NandCommand& command);

  const Geometry& geometry_;
  const Addresses addresses_;
  const SpareUse spare_;
  std::vector<std::byte> tag_;  // as its bytes, on the way
  std::array<std::byte, feature_bytes> feature_{};
};

}  // namespace nandscape::rtl::onfi
