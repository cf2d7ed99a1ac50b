// SPDX-License-Identifier: Apache-2.0
// Computes how long commands, addresses, data and status hold an ONFI bus.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "channel/parameters.h"
#include "core/ticks.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"

namespace nandscape::channel {

class BusTiming {
 public:
  BusTiming(const ChannelParameters& parameters, const Geometry& geometry);

  // Duration of the request, BEGIN_REQ to END_REQ.
  //   read:                00h, column, row, 30h (32h if more planes follow, 31h for a cache read); tWB
  //   program:             80h, column, row, tADL, data, 10h (11h); tWB
  //   erase:               60h, row, D0h (D1h); tWB
  //   suspend, resume:     one command cycle and the row; tWB
  //   reset:               FAh, row (RESET LUN: the other dies of the chip continue); tWB
  //   set_feature:         D5h, die, address, tADL, P1 to P4 (LUN SET FEATURES); tWB
  //   get_feature:         D4h, die, address (LUN GET FEATURES); tWB
  //   read_parameter_page: ECh, 00h; tWB
  //   copyback_read:       00h, column, row, 35h; tWB
  //   copyback_program:    85h, column, row, tADL and data if there is data-in, 10h (11h); tWB
  //   adjust_voltage:      vendor prefix, mask of valid pages, 60h, row, D0h (D1h); tWB
  // If more planes follow, the bus also waits for tDBSY. Vendor prefixes precede these cycles:
  //   a retry step:        prefix, step
  //   a soft read:         prefix, number of sensing levels
  //   a read of a single operation: prefix
  //   an ISPP step:        prefix, two bytes
  //   a program in SLC mode: prefix
  Tick request(const NandCommand& command) const {
    return has_options(command) ? any_request(command) : requests_[static_cast<std::size_t>(command.operation)];
  }

  // Duration of the response, BEGIN_RESP to END_RESP.
  //   read:                tRR, data, multiplied by the number of bits that a soft read outputs per bit of the page
  //   program, erase, copyback_program, adjust_voltage: 70h, tWHR, one status byte
  //   copyback_read:       as a read, or as a program if it has no data-out
  //   get_feature:         tRR, P1 to P4
  //   read_parameter_page: tRR, data
  Tick response(const NandCommand& command) const;

  // Duration of a burst of `bytes` bytes of page data, including their share of the spare bytes.
  Tick data(std::uint32_t bytes) const;

 private:
  // Whether the request takes data, prefixes or a wait for more planes beside the cycles of its operation.
  static bool has_options(const NandCommand& c) {
    return (c.more_planes | c.retry_step | (c.sensing_levels ^ 1) | c.single_operation | c.program_step_mv |
            static_cast<int>(c.mode)) != 0 ||
           programs(c.operation);
  }
  Tick any_request(const NandCommand& command) const;
  Tick prefixes(const NandCommand& command) const;
  // Duration of a burst of `bytes` bytes other than page data. They use eight lines of the bus, whatever its width.
  Tick plain_bytes(std::uint32_t bytes) const;

  Tick cycle_;
  Tick row_;      // the row address
  Tick address_;  // column and row
  Tick t_wb_;
  Tick t_rr_;
  Tick t_adl_;
  Tick t_whr_;
  Tick t_dbsy_;
  Tick burst_overhead_;  // preamble and postamble
  static constexpr std::size_t operations_ = static_cast<std::size_t>(NandOperation::adjust_voltage) + 1;
  std::array<Tick, operations_> requests_;  // by operation: the request without options
  double ticks_per_plain_byte_;
  double ticks_per_byte_;  // for page data, including their share of the spare bytes
};

}  // namespace nandscape::channel
