// SPDX-License-Identifier: Apache-2.0
// The decoder `ecc.decoder: table`: whether a codeword fails and how many iterations it needs is drawn at random from
// measurements. They were made with the real decoder for the same number of misread bits and sensing levels. For soft
// reads, the RBER of the page matters as well, because it determines how reliable the correct bits appear. The data
// themselves are not used.
//
// The decoder reports some of the failing codewords as corrected. The table states their share. If a CRC of c bits is
// stored with each codeword, it detects all of them except for a share of 2^-c.
//
// The tables are measured with the most informative spacing of the sensing levels, which are centred at the voltage
// where two states are misread least. If the states have drifted away from the levels, most errors of a real soft read
// lie on one side of the level. This model then fails as often as if the errors lay on both sides.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "ecc/measurement/code_table.h"
#include "ecc/page_coders/page_coder.h"

namespace nandscape::ecc {

class TableCoder final : public PageCoder {
 public:
  // One table for each code, indexed by code number. `codewords` is the largest number of codewords in a page.
  using Tables = std::vector<std::shared_ptr<const CodeTable>>;
  TableCoder(Tables tables, std::uint32_t codewords, std::uint64_t seed, std::string_view engine,
             std::uint32_t crc_bits = 0);

  void encode(EccJob&) override {}
  // Decodes the codewords of the job. If the job does not contain the errors of each codeword, all codewords are
  // assumed to have as many errors as the worst one.
  Decoded decode(EccJob& job) override;
  void persist(Archive& archive) override { archive(random_, miscorrections_); }

 private:
  std::span<const std::uint16_t> errors_of(const EccJob& job, const CodeTable& table);
  // Draws at random whether a failed codeword is miscorrected and whether the CRC detects this. Counts the outcome in
  // `decoded`. Returns true if the codeword is miscorrected and not detected.
  bool escapes(double miscorrected_share, Decoded& decoded);

  const Tables tables_;
  const double missed_by_crc_;  // share of miscorrected codewords that the CRC does not detect
  RandomStream random_;
  RandomStream miscorrections_;
  std::vector<double> iterations_;
  std::vector<std::uint16_t> unknown_;  // assumed errors of codewords that were not counted individually
};

}  // namespace nandscape::ecc
