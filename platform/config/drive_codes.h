// SPDX-License-Identifier: Apache-2.0
// Configuration group `ecc`, and the codes of the drive: the ordinary code, the codes that the selection chooses among,
// and the codes of codewords that lend or borrow parity.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_ops/data_path.h"
#include "core/parameters.h"
#include "ecc/page_code.h"
#include "ecc/parameters.h"

namespace nandscape {

struct FlashDeviceParameters;

// The codes of pages with 2, 4, 8, ... codewords. Defaults: BCH codes and decoding times of Table III [Sha].
struct SegmentCodeParameters {
  std::vector<double> correctable_bits = {29, 16, 9};
  std::vector<double> t_codeword_us = {21.71, 11.25, 5.78};
};
void describe(SegmentCodeParameters& p, ParameterVisitor& v);

// An LDPC code with an encoder of 45 MB/s [Yasotharan 2009, cited by Liu 2012, section 3.2.2]. For decoders without a
// code, `correctable_bits` is that of a BCH code with the same parity.
ecc::CodeParameters background_code();

struct DriveEccParameters : ecc::EccParameters {
  VariantChoice selection{"uniform", nullptr};
  ecc::CodeParameters background = background_code();
  SegmentCodeParameters segments;
};
void describe(DriveEccParameters& p, ParameterVisitor& v);
// The codes that the selection chooses among, besides the ordinary one.
controller::EccSelection::Codes codes_of(const DriveEccParameters& parameters);

struct DriveCodes {
  std::vector<ecc::PageCode> codes;           // by number, the ordinary one first
  PageLayout layout;                          // unit in which errors are counted
  std::vector<ecc::CodeParameters> hardware;  // by group of engines
  std::vector<controller::EngineGroup> engines;
  std::vector<std::string> names;  // names of the codes in statistics; empty if all pages have one code
};

// The codes without their tables. Requires parameters that pass check_codes().
DriveCodes drive_codes(const FlashDeviceParameters& parameters);
// Throws ConfigError if a code is unknown, or if pages or spare bytes do not hold its codewords.
void check_codes(const FlashDeviceParameters& parameters);
// Throws ConfigError if the spare bytes do not hold the codewords of all codes together, or if codes have no
// measurements. Requires parameters that pass check_codes().
void check_codewords(const FlashDeviceParameters& parameters);
// Throws ConfigError if codewords that lend or borrow parity have no measurements.
void check_borrowed_parity(const FlashDeviceParameters& parameters);

// Payload bytes of the longest codeword among all codes of the drive.
std::uint32_t longest_codeword_bytes(const DriveEccParameters& parameters);

// The limits on page content for each segment code, computed from the cells and codes of the drive. Empty unless the
// selection needs them.
controller::SegmentLimits segment_limits(const FlashDeviceParameters& parameters, const DriveCodes& drive);

// The measurements for the decoder `table`. Throws ConfigError if there are none, if they belong to another code, or if
// they cover soft reads only.
ecc::CodeTable code_table_of(const ecc::CodeParameters& parameters, const std::string& key = "ecc.table");
// Gives each code its table if the decoder uses tables.
void load_tables(DriveCodes& codes, const FlashDeviceParameters& parameters);

}  // namespace nandscape
