// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: table`: a codeword fails with the probability, and takes the iterations, that were measured with the
// real decoder for the same number of misread bits and sensing levels. For soft reads the RBER of the page matters as
// well, since it determines how much the senses tell about the other bits. Data are not used.
//
// A share of the failing codewords, given by the table, is reported as corrected. A CRC of c bits beside the code
// detects all of these but a share of 2^-c.
//
// Tables are measured with levels around the point where two states misread least, at the most informative spacing.
// Soft reads at levels from which the states have drifted away fail here as often as if their errors lay on both sides
// of the level.
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
  // Tables by number of the code; `codewords` is the largest number of codewords in a page.
  using Tables = std::vector<std::shared_ptr<const CodeTable>>;
  TableCoder(Tables tables, std::uint32_t codewords, std::uint64_t seed, std::string_view engine,
             std::uint32_t crc_bits = 0);

  void encode(EccJob&) override {}
  // If the job does not give the errors of each codeword, every codeword is taken to have as many as the worst one.
  Decoded decode(EccJob& job) override;
  void persist(Archive& archive) override { archive(random_, miscorrections_); }

 private:
  std::span<const std::uint16_t> errors_of(const EccJob& job, const CodeTable& table);
  // Draws whether a failed codeword is miscorrected and passes the CRC, and counts the outcome in `decoded`.
  bool escapes(double miscorrected_share, Decoded& decoded);

  const Tables tables_;
  const double missed_by_crc_;  // share of miscorrected codewords
  RandomStream random_;
  RandomStream miscorrections_;
  std::vector<double> iterations_;
  std::vector<std::uint16_t> unknown_;  // errors of codewords that were not counted one by one
};

}  // namespace nandscape::ecc
