// SPDX-License-Identifier: Apache-2.0
// How long commands, addresses, data and status hold an ONFI bus.
#pragma once

#include <cstdint>

#include "channel/parameters.h"
#include "core/ticks.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"

namespace nandscape {

class BusTiming {
 public:
  BusTiming(const ChannelParameters& parameters, const Geometry& geometry);

  // BEGIN_REQ to END_REQ.
  //   read:          00h, column, row, 30h (32h with more planes, 31h for a cache read); tWB
  //   program:       80h, column, row, tADL, data, 10h (11h); tWB
  //   erase:         60h, row, D0h (D1h); tWB
  //   suspend, resume: one command cycle and the row; tWB
  // With more planes the bus also waits out tDBSY.
  Tick request(const NandCommand& command) const;

  // BEGIN_RESP to END_RESP.
  //   read:          tRR, data
  //   program, erase: 70h, tWHR, one status byte
  Tick response(const NandCommand& command) const;

  // A data burst of so many bytes of a page, its share of the spare bytes included.
  Tick data(std::uint32_t bytes) const;

 private:
  Tick cycle_;
  Tick row_;      // the row address
  Tick address_;  // column and row
  Tick t_wb_;
  Tick t_rr_;
  Tick t_adl_;
  Tick t_whr_;
  Tick t_dbsy_;
  Tick burst_overhead_;  // preamble and postamble
  Tick status_byte_;
  double ticks_per_byte_;  // of page data, with their share of the spare bytes
};

}  // namespace nandscape
