// SPDX-License-Identifier: Apache-2.0
// Makes the tables of writing by content (controller/content) from the cells of a device: how often each state is
// misread after so many cycles and such a time, by ISPP step, against what codes correct [Sha, sections IV and V].
//
// A number out of its range throws std::invalid_argument.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/segment_table.h"
#include "controller/content/write_speed_table.h"
#include "ecc/codes/uber.h"
#include "nand/cell_models/cell_device.h"

namespace nandscape {

// The code of each of the segments of a page.
struct SegmentCode {
  std::uint32_t segments = 1;
  ecc::BlockCode code;
  double decode_us = 0;  // of one segment
};

// Of pages of 4 KB with 216 spare bytes: Table III, and the two codes of section V-B2, whose times are not published
// (0). What they call n is the data and their share of all spare bytes.
std::vector<SegmentCode> segment_codes_of_4_kb();

// The raw bit error rate at which a page of such segments, each a codeword, fails with this probability. The paper
// calls a CDBER correctable without saying when that is; 1e-7 has the thresholds of its Table III.
double correctable_ber(const SegmentCode& code, double page_failure);

// What data have to bear: the paper's 15,000 cycles, and a year at 30 C.
struct KeptData {
  double pe_cycles = 15000;
  double months = 12;
};

class ContentTables {
 public:
  // Throws ConfigError unless the coding is that of equations 4 and 5 (cell_states.h).
  ContentTables(const nand::NandParameters& parameters, const KeptData& kept);

  // Equations 1 and 2 for an ISPP step, 0 being the device's own: of plain reads of the median wordline.
  controller::StateErrorRates error_rates(double step_mv) const;

  // Table II: `cells` of a wordline, steps in mV, rising.
  controller::WriteSpeedTable write_speeds(std::span<const double> steps_mv, double correctable_ber,
                                           std::uint32_t cells) const;
  // Table III, for data that are written with this step.
  controller::SegmentTable segments(std::span<const SegmentCode> codes, double page_failure, double step_mv,
                                    std::uint32_t cells, controller::CoveredSegments covered) const;

 private:
  nand::CellDevice device_;
  nand::CellCondition kept_;
};

}  // namespace nandscape
