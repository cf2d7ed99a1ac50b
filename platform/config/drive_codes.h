// SPDX-License-Identifier: Apache-2.0
// Configuration group `ecc`, and the codes of the drive that follow from it: the ordinary one, those that the selection
// chooses among, and those of codewords that have lent parity or borrowed it.
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

// The codes of pages with 2, 4, 8, ... codewords: BCH codes of Table III and its decoding times [Sha].
struct SegmentCodeParameters {
  std::vector<double> correctable_bits = {29, 16, 9};
  std::vector<double> t_codeword_us = {21.71, 11.25, 5.78};
};
void describe(SegmentCodeParameters& p, ParameterVisitor& v);

// An LDPC encoder of 45 MB/s [Yasotharan 2009, as Liu 2012 cites it, section 3.2.2]. Where no code decides, codewords
// bear as many errors as those of a BCH code with as much parity.
ecc::CodeParameters background_code();

struct DriveEccParameters : ecc::EccParameters {
  VariantChoice selection{"uniform", nullptr};
  ecc::CodeParameters background = background_code();
  SegmentCodeParameters segments;
};
void describe(DriveEccParameters& p, ParameterVisitor& v);

struct DriveCodes {
  std::vector<ecc::PageCode> codes;           // by number, the ordinary one first
  PageLayout layout;                          // by which errors are counted
  std::vector<ecc::CodeParameters> hardware;  // of each group of engines
  std::vector<controller::EngineGroup> engines;
  std::vector<std::string> names;  // of the codes, in statistics; empty where pages are of one code
};

// Without their tables, of parameters that have passed check_codes().
DriveCodes drive_codes(const FlashDeviceParameters& parameters);
// Throws ConfigError when there is no such code, when pages, spare bytes or mapping units do not hold the codewords of
// them all, or when the selection does not go with the rest of the drive.
void check_codes(const FlashDeviceParameters& parameters);
// Of codewords that lend parity and borrow it: throws ConfigError when there are no measurements of them.
void check_borrowed_parity(const FlashDeviceParameters& parameters);

// Of all codes of the drive.
std::uint32_t longest_codeword_bytes(const DriveEccParameters& parameters);

// What pages of the codes of segments may hold, by the cells and the codes of the drive; empty unless the selection
// asks.
controller::SegmentLimits segment_limits(const FlashDeviceParameters& parameters, const DriveCodes& drive);

// The measurements that the decoder `table` goes by. Throws ConfigError when there are none, when they are those of
// another code, or when they are of soft reads only.
ecc::CodeTable code_table_of(const ecc::CodeParameters& parameters, const std::string& key = "ecc.table");
// Gives each code its table, where the decoder goes by tables.
void load_tables(DriveCodes& codes, const FlashDeviceParameters& parameters);

}  // namespace nandscape
