// SPDX-License-Identifier: Apache-2.0
// The cycles that a host plays for a NandCommand, and what of a command they do not carry.
//
// Not carried, and refused: sensing levels and sensed ones, retry steps (the offsets of read levels are features), SLC
// mode, an ISPP step, single-operation reads, voltage adjustments, suspend and resume, and a tag unless the spare bytes
// take it. Not carried, and 0 or false afterwards: raw_bit_errors, worst_codeword_errors, misread_probability,
// bad_block_mark, adjusted_block, and erased_page where there are no tags. Error counts by codeword come back as an
// empty span: nobody has counted them.
//
// With tags, each program writes one, so that a page without any is an erased page. Where the checksum of a tag does
// not fit, the program of the page did not come to its end, and half of its bits are taken to be wrong, as the die of
// the model does with such a page.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "protocol/geometry.h"
#include "protocol/nand_command.h"
#include "rtl/onfi/addresses.h"
#include "rtl/onfi/host_bus.h"
#include "rtl/onfi/spare_tag.h"

namespace nandscape::rtl::onfi {

// What lies in the spare bytes of a page: parity first, then the tag.
struct SpareUse {
  std::uint32_t parity_bytes = 0;  // `data` of a command holds them behind the page; they move with any part of it
  std::uint32_t tag_words = 0;     // see spare_tag.h; 0: commands with a tag are refused

  std::uint32_t bytes() const { return parity_bytes + SpareTag::bytes_of(tag_words); }
};

class CommandCycles {
 public:
  // Geometry must outlive it. Throws ConfigError when the address cycles cannot name all places of the die, and when
  // its pages have fewer spare bytes than are used.
  CommandCycles(const Geometry& geometry, const SpareUse& spare);

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
  void take_response(NandCommand& command);
  std::vector<Cycle> reset(std::uint8_t code, TimingMode mode) const;
  std::vector<Cycle> set_timing_mode(TimingMode wanted, TimingMode mode);

 private:
  class Script;

  RowAddress row(const NandCommand& command) const { return {0, command.plane, command.block, command.page}; }
  bool moves_parity(const NandCommand& command) const { return parity_bytes_ != 0 && command.data != nullptr; }
  bool reads_tag(const NandCommand& command) const;
  std::uint32_t tag_column() const { return geometry_.page_bytes + parity_bytes_; }
  void page_in(Script& script, const NandCommand& command);

  const Geometry& geometry_;
  const Addresses addresses_;
  const std::uint32_t parity_bytes_;
  SpareTag tag_;  // on the way
  std::array<std::byte, feature_bytes> feature_{};
};

}  // namespace nandscape::rtl::onfi
