// SPDX-License-Identifier: Apache-2.0
// Computes the cycles that a host sends to an ONFI target for a NandCommand. Some fields of NandCommand have no
// equivalent on the ONFI bus.
//
// A command is refused if it uses sensing levels or sensed ones, retry steps (use the features for offsets of read
// levels instead), SLC mode, an ISPP step, single-operation reads, voltage adjustments, suspend or resume, or a tag for
// which the spare bytes have no room. The following fields are 0 or false in the result: raw_bit_errors,
// worst_codeword_errors, misread_probability, bad_block_mark, adjusted_block, and erased_page if there are no tags.
// codeword_errors is an empty span, because errors are not counted.
//
// If tags are used, each program writes a tag, so a page without a tag is an erased page. If the checksum of a tag does
// not match, the program of the page was interrupted or has failed. Half of the bits of such a page count as wrong, as
// in the simulated die.
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

// The contents of a page's spare bytes: first the parity, then the tag.
struct SpareUse {
  std::uint32_t parity_bytes = 0;  // stored after the page in a command's `data`; transferred with any part of the page
  std::uint32_t tag_words = 0;     // words of the tag (see spare_tag.h); if 0, commands with a tag are refused

  std::uint32_t bytes() const { return parity_bytes + SpareTag::bytes_of(tag_words); }
};

class CommandCycles {
 public:
  // `geometry` must outlive this object. Throws ConfigError if the address cycles cannot address all pages of the die,
  // or if the pages of the die have fewer spare bytes than `spare` needs.
  CommandCycles(const Geometry& geometry, const SpareUse& spare);

  // Throws ProtocolError if the command cannot be expressed in ONFI cycles. `player` is the name of the player in the
  // message.
  void check(const NandCommand& command, Interface interface, const std::string& player) const;

  // Returns the cycles of the request, up to the confirm cycle and the wait of tWB.
  std::vector<Cycle> request(const NandCommand& command, TimingMode mode);
  // cache_read() returns the cycles for 31h with the address of the next page. cache_read_end() returns those for 3Fh.
  std::vector<Cycle> cache_read(const NandCommand& next, TimingMode mode) const;
  std::vector<Cycle> cache_read_end(TimingMode mode) const;
  // Return the cycles that read a status byte: status() for the whole target, plane_status() for the plane of the
  // command. The byte is stored in `into`.
  std::vector<Cycle> status(std::byte& into, TimingMode mode) const;
  std::vector<Cycle> plane_status(const NandCommand& command, std::byte& into, TimingMode mode) const;
  // Returns the cycles for the data-out of a completed command.
  std::vector<Cycle> response(NandCommand& command, TimingMode mode);
  // Copies the data that the cycles of response() have received to the command.
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
