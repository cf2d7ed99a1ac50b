// SPDX-License-Identifier: Apache-2.0
// Computes the tables of content-aware writing (controller/content) from the cells of a device: For each ISPP step, it
// determines how often each state is misread after given P/E cycles and retention, and compares this with the errors
// that the codes can correct [Sha, sections IV and V].
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

// The code of a page that is divided into segments.
struct SegmentCode {
  std::uint32_t segments = 1;
  ecc::BlockCode code;
  double decode_us = 0;  // decoding time of one segment
};

// Returns the codes for pages of 4 KB with 216 spare bytes. These are the codes of Table III, and two codes of section
// V-B2 whose decoding times are not published (0). In the paper, n counts the data and their share of all spare bytes.
std::vector<SegmentCode> segment_codes_of_4_kb();

// Returns the raw bit error rate at which a page fails with the probability `page_failure`. The segments of the page
// are codewords of this code. The paper does not define when a CDBER is correctable; the probability 1e-7 leads to the
// thresholds of its Table III.
double correctable_ber(const SegmentCode& code, double page_failure);

// Returns whether equations 4 and 5 hold for the coding. They hold for two bits per cell in natural order
// (cell_states.h).
bool has_four_natural_states(const nand::Coding& coding);

class ContentTables {
 public:
  // Computes tables for cells with the wear and the retention of `kept`. Throws ConfigError unless the coding has four
  // states in natural order.
  ContentTables(const nand::NandParameters& parameters, const KeptData& kept);

  // Computes the error rates of equations 1 and 2 for data written with an ISPP step. They apply to plain reads of the
  // median wordline. The step 0 stands for the device's own step.
  controller::StateErrorRates error_rates(double step_mv) const;

  // Computes Table II. The steps are in mV, in ascending order.
  controller::WordlineSpeedTable write_speeds(std::span<const double> steps_mv, double correctable_ber) const;
  // Computes Table III for data written with the ISPP step `step_mv`.
  controller::SegmentTable segments(std::span<const SegmentCode> codes, double page_failure, double step_mv,
                                    std::uint32_t cells, controller::CoveredSegments covered) const;

 private:
  nand::CellDevice device_;
  nand::CellCondition kept_;
};

}  // namespace nandscape
