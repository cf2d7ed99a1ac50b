// SPDX-License-Identifier: Apache-2.0
#include "platform/config/drive_codes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "core/error.h"
#include "platform/config/code_tables.h"
#include "platform/config/content_tables.h"
#include "platform/config/flash_device_parameters.h"

namespace nandscape {

namespace {

// The background code, described as a group with its own keys.
struct FurtherCode {
  ecc::CodeParameters& code;
  const VariantChoice& decoder;
};
void describe(FurtherCode& p, ParameterVisitor& v) { describe(p.code, p.decoder, v); }

constexpr const char* borrowed_key = "controller.fullpages.borrowed_parity_bytes";

using Codes = controller::EccSelection::Codes;

controller::EngineGroup engine_group(const ecc::CodeParameters& p, std::uint32_t channels) {
  switch (p.engines) {
    case ecc::EngineSharing::shared: return {1, 1};
    case ecc::EngineSharing::shared_encoder: return {channels, 1};
    case ecc::EngineSharing::pool: return {1, 1, p.pool_engines};
    case ecc::EngineSharing::per_channel: break;
  }
  return {channels, channels};
}

void add_hardware(DriveCodes& drive, const ecc::CodeParameters& p, std::uint32_t channels) {
  drive.hardware.push_back(p);
  drive.engines.push_back(engine_group(p, channels));
}

// Adds the engines that decode only soft reads, and assigns them to the codes that have such engines.
void add_soft_engines(DriveCodes& drive) {
  for (ecc::PageCode& code : drive.codes) code.soft_engines = code.engines;
  const auto groups = static_cast<std::uint32_t>(drive.hardware.size());
  for (std::uint32_t group = 0; group < groups; ++group) {
    const ecc::CodeParameters p = drive.hardware[group];
    if (p.soft_engines == 0) continue;
    for (ecc::PageCode& code : drive.codes) {
      if (code.engines == group) code.soft_engines = static_cast<std::uint32_t>(drive.hardware.size());
    }
    drive.hardware.push_back(p);
    drive.engines.push_back({.decoders = 1, .encoders = 0, .units = p.soft_engines});
  }
}

// Adds the codes of codewords that lend or borrow parity. A codeword that borrows parity uses spare bytes of a codeword
// that lends them, so the layout of pages does not change.
void add_borrowed_parity(std::vector<ecc::PageCode>& codes, const FlashDeviceParameters& p) {
  for (const std::int32_t more : parity_of_codes(p.controller.fullpages)) {
    ecc::PageCode code = codes.front();
    code.parameters.ldpc_parity_bytes += static_cast<std::uint32_t>(more);
    code.parameters.table.clear();
    codes.push_back(std::move(code));
  }
}

// Adds the codes of segments. Their codewords differ from the codeword of a whole page in length, strength and decoding
// time.
void add_segments(std::vector<ecc::PageCode>& codes, const DriveEccParameters& p) {
  for (std::size_t k = 0; k < p.segments.correctable_bits.size(); ++k) {
    ecc::CodeParameters code = p;
    code.codeword_bytes >>= k + 1;
    code.correctable_bits = static_cast<std::uint32_t>(p.segments.correctable_bits[k]);
    code.t_codeword_us = p.segments.t_codeword_us[k];
    code.table.clear();
    codes.push_back({.parameters = code});
  }
}

void check_segments(const FlashDeviceParameters& p) {
  const SegmentCodeParameters& s = p.ecc.segments;
  for (const double bits : s.correctable_bits) {
    if (bits == std::floor(bits)) continue;
    throw ConfigError({}, "ecc.segments.correctable_bits", "must be whole numbers of bits");
  }
  std::vector<ecc::PageCode> codes;
  add_segments(codes, p.ecc);
  for (const ecc::PageCode& code : codes) {
    try {
      check(code.parameters, p.ecc, "ecc", p.nand.geometry.page_bytes, p.nand.geometry.spare_bytes);
    } catch (const ConfigError& error) {
      throw ConfigError({}, "ecc.segments.correctable_bits", error.complaint());
    }
  }
}

}  // namespace

ecc::CodeParameters background_code() {
  ecc::CodeParameters p;
  p.codec.name = "ldpc";
  p.codeword_bytes = 4096;
  p.correctable_bits = 256;
  p.engines = ecc::EngineSharing::shared_encoder;
  p.encode_mb_s = 45;
  return p;
}

Codes codes_of(const DriveEccParameters& p) { return controller::ecc_selection_registry().make(p.selection)->codes(); }

void describe(SegmentCodeParameters& p, ParameterVisitor& v) {
  v.reals("correctable_bits", p.correctable_bits, {0, 65536}, "bits",
          "correctable errors of a codeword, for pages in 2, 4, 8, ... segments");
  v.reals("t_codeword_us", p.t_codeword_us, {0, 100000}, "us", "decoding time of such a codeword");
}

void describe(DriveEccParameters& p, ParameterVisitor& v) {
  describe(static_cast<ecc::EccParameters&>(p), v);
  const std::string by_selection = "selection is " + p.selection.name;
  v.unread_if(codes_of(p) != Codes::background, {"background"}, by_selection);
  v.unread_if(codes_of(p) != Codes::segments, {"segments"}, by_selection);
  v.variant("selection", p.selection, controller::ecc_selection_registry(), "which pages are encoded by which code");
  FurtherCode background{p.background, p.decoder};
  v.group("background", background, "the code of background writes");
  v.group("segments", p.segments, "codes of pages that are divided into segments");
}

std::uint32_t longest_codeword_bytes(const DriveEccParameters& p) {
  return codes_of(p) == Codes::background ? std::max(p.codeword_bytes, p.background.codeword_bytes) : p.codeword_bytes;
}

DriveCodes drive_codes(const FlashDeviceParameters& p) {
  DriveCodes drive;
  drive.codes.push_back({.parameters = p.ecc});
  add_hardware(drive, p.ecc, p.channel.count);
  switch (codes_of(p.ecc)) {
    case Codes::ordinary: break;
    case Codes::background:
      drive.codes.push_back({.parameters = p.ecc.background, .engines = 1});
      add_hardware(drive, p.ecc.background, p.channel.count);
      drive.names = {"ordinary", "background"};
      break;
    case Codes::segments:
      add_segments(drive.codes, p.ecc);
      for (std::size_t k = 0; k < drive.codes.size(); ++k) drive.names.push_back("segments_" + std::to_string(1u << k));
      break;
  }
  add_soft_engines(drive);
  drive.layout = ecc::join_layouts(drive.codes, p.ecc, p.nand.geometry.page_bytes, p.nand.geometry.spare_bytes);
  add_borrowed_parity(drive.codes, p);
  return drive;
}

void check_codes(const FlashDeviceParameters& p) {
  const nand::NandGeometryParameters& flash = p.nand.geometry;
  check(p.ecc, flash.page_bytes, flash.spare_bytes);
  if (codes_of(p.ecc) != Codes::background) return;
  check(p.ecc.background, p.ecc, "ecc.background", flash.page_bytes, flash.spare_bytes);
}

// Errors are counted for each codeword of the shortest length, and added up for longer codewords.
void check_codewords(const FlashDeviceParameters& p) {
  if (p.controller.fullpages.spread()) return;  // check_borrowed_parity() checks the codewords of fullpages
  const bool segments = codes_of(p.ecc) == Codes::segments;
  if (segments) check_segments(p);
  DriveCodes drive = drive_codes(p);
  const std::uint32_t parity = drive.layout.codewords() * drive.layout.parity_bytes;
  if (parity > p.nand.geometry.spare_bytes) {
    throw ConfigError({}, segments ? "ecc.segments.correctable_bits" : "ecc.background.codec",
                      "each " + std::to_string(drive.layout.codeword_bytes) + " bytes need " +
                          std::to_string(drive.layout.parity_bytes) +
                          " bytes for the parity of any code and a CRC of " + std::to_string(crc_bits_of(p.ecc)) +
                          " bits (ecc.crc_bits), a page needs " + std::to_string(parity) +
                          ", and nand.geometry.spare_bytes is " + std::to_string(p.nand.geometry.spare_bytes));
  }
  load_tables(drive, p);
}

void check_borrowed_parity(const FlashDeviceParameters& p) {
  if (!decoder_of(p.ecc)->has_tables()) return;
  std::vector<ecc::PageCode> codes = {{.parameters = p.ecc}};
  add_borrowed_parity(codes, p);
  for (std::size_t k = 0; k < codes.size(); ++k) {
    static_cast<void>(code_table_of(codes[k].parameters, k == 0 ? "ecc.table" : borrowed_key));
  }
}

controller::SegmentLimits segment_limits(const FlashDeviceParameters& p, const DriveCodes& drive) {
  const auto keeps = controller::ecc_selection_registry().make(p.ecc.selection)->limits_of_cells();
  if (!keeps) return {};
  const std::uint32_t cells = 8 * p.nand.geometry.page_bytes;  // cells that hold data
  std::vector<SegmentCode> codes;
  for (const ecc::PageCode& code : drive.codes) {
    const std::uint32_t bytes = code.parameters.codeword_bytes;
    // The number of bits in a codeword whose errors are counted.
    const std::uint32_t bits = bytes / drive.layout.codeword_bytes * drive.layout.codeword_bits;
    codes.push_back({p.nand.geometry.page_bytes / bytes, {bits, 8 * bytes, code.parameters.correctable_bits}, 0});
  }
  const ContentTables tables(p.nand, {keeps->pe_cycles, keeps->days * 24 / hours_per_month});
  return tables.segments(codes, keeps->page_failure, 0, cells, controller::CoveredSegments::own).limits();
}

ecc::CodeTable code_table_of(const ecc::CodeParameters& p, const std::string& key) {
  const std::string code = to_string(code_of(p));
  if (p.table.empty() && !p.plugin.empty()) {
    throw ConfigError({}, key,
                      "no measurements come with the code of a plug-in; `nandscape characterize-ecc '" + code +
                          "' --output FILE` makes the file to name here");
  }
  ecc::CodeTable table = code_table(p.table.empty() ? code : p.table, {}, key);
  if (table.code() != code_of(p)) {
    throw ConfigError({}, key, "holds measurements of " + to_string(table.code()) + ", and the code is " + code);
  }
  if (!table.measurement().by_levels.contains(1)) {
    throw ConfigError({}, key, "holds no frames of 1 sensing level, which the device's hard reads need");
  }
  return table;
}

void load_tables(DriveCodes& drive, const FlashDeviceParameters& p) {
  if (!decoder_of(p.ecc)->has_tables()) return;
  std::string others = "ecc.background.table";
  if (p.controller.fullpages.spread()) others = borrowed_key;
  if (codes_of(p.ecc) == Codes::segments) others = "ecc.segments.correctable_bits";
  for (std::size_t k = 0; k < drive.codes.size(); ++k) {
    ecc::PageCode& code = drive.codes[k];
    code.table = std::make_shared<ecc::CodeTable>(code_table_of(code.parameters, k == 0 ? "ecc.table" : others));
  }
}

}  // namespace nandscape
