// SPDX-License-Identifier: Apache-2.0
// How long commands, addresses, data and status hold an ONFI bus.
#pragma once

#include <cstdint>

#include "channel/parameters.h"
#include "core/ticks.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"

namespace nandscape::channel {

class BusTiming {
 public:
  BusTiming(const ChannelParameters& parameters, const Geometry& geometry);

  // BEGIN_REQ to END_REQ.
  //   read:                00h, column, row, 30h (32h with more planes, 31h for a cache read); tWB
  //   program:             80h, column, row, tADL, data, 10h (11h); tWB
  //   erase:               60h, row, D0h (D1h); tWB
  //   suspend, resume:     one command cycle and the row; tWB
  //   reset:               FAh, row (RESET LUN: the other dies of the chip go on); tWB
  //   set_feature:         D5h, die, address, tADL, P1 to P4 (LUN SET FEATURES); tWB
  //   get_feature:         D4h, die, address (LUN GET FEATURES); tWB
  //   read_parameter_page: ECh, 00h; tWB
  //   copyback_read:       00h, column, row, 35h; tWB
  //   copyback_program:    85h, column, row, with data-in tADL and data, 10h (11h); tWB
  //   adjust_voltage:      vendor prefix, mask of valid pages, 60h, row, D0h (D1h); tWB
  // With more planes the bus also waits out tDBSY. Vendor prefixes go before these cycles:
  //   a retry step:        prefix, step
  //   a soft read:         prefix, number of sensing levels
  //   a read of a single operation: prefix
  //   an ISPP step:        prefix, two bytes
  //   a program in SLC mode: prefix
  Tick request(const NandCommand& command) const;

  // BEGIN_RESP to END_RESP.
  //   read:                tRR, data, as many times as a soft read puts out bits for each bit of the page
  //   program, erase, copyback_program, adjust_voltage: 70h, tWHR, one status byte
  //   copyback_read:       as a read, or the status when no data move out
  //   get_feature:         tRR, P1 to P4
  //   read_parameter_page: tRR, data
  Tick response(const NandCommand& command) const;

  // A data burst of so many bytes of a page, its share of the spare bytes included.
  Tick data(std::uint32_t bytes) const;

 private:
  Tick prefixes(const NandCommand& command) const;
  // A burst of bytes that are no page data; they use eight lines of the bus, however wide it is.
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
  double ticks_per_plain_byte_;
  double ticks_per_byte_;  // of page data, with their share of the spare bytes
};

}  // namespace nandscape::channel
