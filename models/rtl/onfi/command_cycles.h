// SPDX-License-Identifier: Apache-2.0
// The cycles that a host plays for a NandCommand, and the fields of a command that they do not carry.
//
// Refused: sensing levels and sensed ones, retry steps (offsets of read levels are features), SLC mode, an ISPP step,
// single-operation reads, voltage adjustments, suspend and resume, and a tag unless the spare bytes have room for it.
// Set to 0 or false afterwards: raw_bit_errors, worst_codeword_errors, misread_probability, bad_block_mark,
// adjusted_block, and erased_page without tags. codeword_errors becomes an empty span, since no error is counted.
//
// With tags, each program writes one, so a page without a tag is an erased page. If the checksum of a tag does not
// match, the program of the page was interrupted or failed. Half of its bits then count as wrong, as in the model's own
// die.
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

// The use of the spare bytes of a page: parity first, then the tag.
struct SpareUse {
  std::uint32_t parity_bytes = 0;  // follow the page in a command's `data`; transferred with any part of the page
  std::uint32_t tag_words = 0;     // see spare_tag.h; 0: commands with a tag are refused

  std::uint32_t bytes() const { return parity_bytes + SpareTag::bytes_of(tag_words); }
};

class CommandCycles {
 public:
  // `geometry` must outlive this object. Throws ConfigError if the address cycles cannot address all places of the die,
  // or its pages have fewer spare bytes than `spare` needs.
  CommandCycles(const Geometry& geometry, const SpareUse& spare);

  // Throws ProtocolError if the wires cannot carry the command; `player` is the name in the message.
  void check(const NandCommand& command, Interface interface, const std::string& player) const;

  // The cycles of the request, up to the confirm cycle and tWB.
  std::vector<Cycle> request(const NandCommand& command, TimingMode mode);
  // 31h for the page to read next, and 3Fh.
  std::vector<Cycle> cache_read(const NandCommand& next, TimingMode mode) const;
  std::vector<Cycle> cache_read_end(TimingMode mode) const;
  // Read a status byte of the target, or of the plane of the command.
  std::vector<Cycle> status(std::byte& into, TimingMode mode) const;
  std::vector<Cycle> plane_status(const NandCommand& command, std::byte& into, TimingMode mode) const;
  // Data-out of a completed command.
  std::vector<Cycle> response(NandCommand& command, TimingMode mode);
  // Copies the buffers of a played response() to the command.
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
  SpareTag tag_;  // the tag being transferred
  std::array<std::byte, feature_bytes> feature_{};
};

}  // namespace nandscape::rtl::onfi
