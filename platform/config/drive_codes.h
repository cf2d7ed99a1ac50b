// SPDX-License-Identifier: Apache-2.0
// Configuration group `ecc`, and the codes of the drive: the ordinary code, the codes from which the selection chooses,
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

// The codes of pages with 2, 4, 8, ... codewords. The defaults are the BCH codes and decoding times of Table III [Sha].
struct SegmentCodeParameters {
  std::vector<double> correctable_bits = {29, 16, 9};
  std::vector<double> t_codeword_us = {21.71, 11.25, 5.78};
};
void describe(SegmentCodeParameters& p, ParameterVisitor& v);

// Returns an LDPC code with an encoder of 45 MB/s [Yasotharan 2009, cited by Liu 2012, section 3.2.2]. For decoders
// that work without a code, `correctable_bits` is the number of a BCH code with the same parity.
ecc::CodeParameters background_code();

struct DriveEccParameters : ecc::EccParameters {
  VariantChoice selection{"uniform", nullptr};
  ecc::CodeParameters background = background_code();
  SegmentCodeParameters segments;
};
void describe(DriveEccParameters& p, ParameterVisitor& v);
// Returns which codes the selection chooses from, in addition to the ordinary code.
controller::EccSelection::Codes codes_of(const DriveEccParameters& parameters);

struct DriveCodes {
  std::vector<ecc::PageCode> codes;           // by number, the ordinary one first
  PageLayout layout;                          // unit in which errors are counted
  std::vector<ecc::CodeParameters> hardware;  // by group of engines
  std::vector<controller::EngineGroup> engines;
  std::vector<std::string> names;  // names of the codes in statistics; empty if all pages have the same code
};

// Returns the codes of the drive without their tables. The parameters must have passed check_codes().
DriveCodes drive_codes(const FlashDeviceParameters& parameters);
// Throws ConfigError if a code is unknown, or if its codewords do not fit into the pages or the spare bytes.
void check_codes(const FlashDeviceParameters& parameters);
// Throws ConfigError if the spare bytes cannot hold the codewords of all codes together, or if a code has no
// measurements. The parameters must have passed check_codes().
void check_codewords(const FlashDeviceParameters& parameters);
// Throws ConfigError if codewords that lend or borrow parity have no measurements.
void check_borrowed_parity(const FlashDeviceParameters& parameters);

// Returns the payload bytes of the longest codeword among all codes of the drive.
std::uint32_t longest_codeword_bytes(const DriveEccParameters& parameters);

// Returns the limits on page content for each segment code, computed from the cells and codes of the drive. The result
// is empty if the selection does not need the limits.
controller::SegmentLimits segment_limits(const FlashDeviceParameters& parameters, const DriveCodes& drive);

// Returns the measurements of a code for the decoder `table`. Throws ConfigError if there are none, if they belong to
// another code, or if they cover only soft reads.
ecc::CodeTable code_table_of(const ecc::CodeParameters& parameters, const std::string& key = "ecc.table");
// Loads the table of each code if the decoder uses tables.
void load_tables(DriveCodes& codes, const FlashDeviceParameters& parameters);

}  // namespace nandscape
