// SPDX-License-Identifier: Apache-2.0
// Computes the tables of content-aware writing (controller/content) from the cells of a device: how often each state is
// misread after given P/E cycles and retention, by ISPP step, compared with the errors that codes correct [Sha,
// sections IV and V].
//
// All functions throw std::invalid_argument for a number out of its range.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/segment_table.h"
#include "ecc/codes/uber.h"
#include "nand/cell_models/cell_device.h"
#include "platform/config/wordline_speeds.h"

namespace nandscape {

// The code of the segments of a page.
struct SegmentCode {
  std::uint32_t segments = 1;
  ecc::BlockCode code;
  double decode_us = 0;  // decoding time of one segment
};

// The codes for pages of 4 KB with 216 spare bytes: Table III, and the two codes of section V-B2, whose times are not
// published (0). The paper's n counts the data and their share of all spare bytes.
std::vector<SegmentCode> segment_codes_of_4_kb();

// The raw bit error rate at which a page, whose segments are codewords of this code, fails with this probability. The
// paper does not define when a CDBER is correctable; 1e-7 gives the thresholds of its Table III.
double correctable_ber(const SegmentCode& code, double page_failure);

// Whether equations 4 and 5 hold for the coding: two bits in natural order (cell_states.h).
bool has_four_natural_states(const nand::Coding& coding);

class ContentTables {
 public:
  // Throws ConfigError for any other coding.
  ContentTables(const nand::NandParameters& parameters, const KeptData& kept);

  // Equations 1 and 2 for an ISPP step, for plain reads of the median wordline. 0 is the device's own step.
  controller::StateErrorRates error_rates(double step_mv) const;

  // Table II. Steps are in mV, ascending.
  controller::WordlineSpeedTable write_speeds(std::span<const double> steps_mv, double correctable_ber) const;
  // Table III, for data written with this step.
  controller::SegmentTable segments(std::span<const SegmentCode> codes, double page_failure, double step_mv,
                                    std::uint32_t cells, controller::CoveredSegments covered) const;

 private:
  nand::CellDevice device_;
  nand::CellCondition kept_;
};

}  // namespace nandscape
