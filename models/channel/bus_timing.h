// SPDX-License-Identifier: Apache-2.0
// Computes for how long each command and its response occupy an ONFI bus.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "channel/parameters.h"
#include "core/ticks.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"
#include "protocol/sensing_levels.h"

namespace nandscape::channel {

class BusTiming {
 public:
  BusTiming(const ChannelParameters& parameters, const Geometry& geometry);

  // Returns the duration of the request, from BEGIN_REQ to END_REQ. The bus carries these cycles:
  //   read:                00h, column, row, 30h (32h if other planes follow, 31h for a cache read); tWB
  //   program:             80h, column, row, tADL, data, 10h (11h); tWB
  //   erase:               60h, row, D0h (D1h); tWB
  //   suspend, resume:     one command cycle and the row; tWB
  //   reset:               FAh, row (RESET LUN: the other dies of the chip continue); tWB
  //   set_feature:         D5h, die, address, tADL, P1 to P4 (LUN SET FEATURES); tWB
  //   get_feature:         D4h, die, address (LUN GET FEATURES); tWB
  //   read_parameter_page: ECh, 00h; tWB
  //   copyback_read:       00h, column, row, 35h; tWB
  //   copyback_program:    85h, column, row, tADL and data or the tag if there is data-in, 10h (11h); tWB
  //   adjust_voltage:      vendor prefix, mask of valid pages, 60h, row, D0h (D1h); tWB
  // If other planes follow, the code 11h or D1h replaces 10h or D0h, and the bus also waits for tDBSY. Some options
  // add vendor-specific prefix cycles before these cycles:
  //   a retry step:        prefix, step
  //   a soft read:         prefix, number of sensing levels
  //   a read of a single-operation multiple-location read: prefix
  //   an ISPP step:        prefix, two bytes
  //   a program in SLC mode: prefix
  Tick request(const NandCommand& command) const {
    return has_options(command) ? any_request(command) : requests_[static_cast<std::size_t>(command.operation)];
  }

  // Returns the duration of the response, from BEGIN_RESP to END_RESP. The bus carries these cycles:
  //   read:                tRR, data; a soft read outputs several bits for each bit of the page
  //                        if planes read on their own: 78h, row, tWHR, one status byte, 06h, column, row, E0h, tCCS,
  //                        data; R/B_n shows only the state of the die, and the controller must name the plane
  //   program, erase, copyback_program, adjust_voltage: 70h, tWHR, one status byte
  //   copyback_read:       as for a read of the data or of the tag alone, or one status byte as for a program if there
  //                        is no data-out
  //   get_feature:         tRR, P1 to P4
  //   read_parameter_page: tRR, data
  Tick response(const NandCommand& c) const {
    if (c.operation != NandOperation::read) return other_response(c);
    return c.bytes == 0 ? 0 : before_data_out_ + data(bytes_out(c));
  }
  // Returns the number of bytes of data-out of a read. A soft read outputs several bits for each bit of the page.
  static std::uint32_t bytes_out(const NandCommand& read) { return read.bytes * soft_bits(read.new_levels()); }

  // Returns the duration of a data burst of `bytes` bytes of page data. If spare bytes are transferred, the burst also
  // contains a proportional part of them.
  Tick data(std::uint32_t bytes) const {
    if (bytes == page_bytes_) [[likely]]
      return page_data_;
    return bytes == 0 ? 0 : burst(bytes);
  }

 private:
  // Returns whether the request needs more cycles than the fixed cycles of its operation: data, prefixes, or a wait of
  // tDBSY. The durations of all other requests are computed once, in `requests_`.
  static bool has_options(const NandCommand& c) {
    return (c.more_planes | c.retry_step | (c.sensing_levels ^ 1) | c.single_operation | c.program_step_mv |
            static_cast<int>(c.mode)) != 0 ||
           programs(c.operation);
  }
  Tick burst(std::uint32_t bytes) const { return burst_overhead_ + nearest_tick(bytes * ticks_per_byte_); }
  Tick any_request(const NandCommand& command) const;
  Tick other_response(const NandCommand& command) const;
  Tick prefixes(const NandCommand& command) const;
  // Returns the duration of the burst of a copyback: of page data, or of the tag alone.
  Tick copied(const NandCommand& command) const;
  // Returns the duration of a burst of `bytes` bytes that are not page data, such as status or features. These bytes
  // use only eight data lines even if the bus is wider.
  Tick plain_bytes(std::uint32_t bytes) const;

  Tick cycle_;
  Tick row_;      // duration of the row address cycles
  Tick address_;  // column and row addresses
  Tick t_wb_;
  Tick t_rr_;
  Tick t_adl_;
  Tick t_whr_;
  Tick t_dbsy_;
  Tick burst_overhead_;   // duration of preamble and postamble
  Tick before_data_out_;  // of a read: from the beginning of the response to the data burst
  static constexpr std::size_t operations_ = static_cast<std::size_t>(NandOperation::adjust_voltage) + 1;
  std::array<Tick, operations_> requests_;  // duration of the request without options, by operation
  double ticks_per_plain_byte_;
  double ticks_per_tag_byte_;
  double ticks_per_byte_;  // for page data, including the proportional part of the spare bytes
  std::uint32_t page_bytes_;
  Tick page_data_;  // duration of the data burst of a whole page
};

}  // namespace nandscape::channel
