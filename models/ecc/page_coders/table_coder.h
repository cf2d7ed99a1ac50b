// SPDX-License-Identifier: Apache-2.0
// `ecc.decoder: table`: codewords fail, and take iterations, as often as measurements of the real decoder say for their
// number of misread bits and the sensing levels of the read; at soft reads by the RBER of its page as well, which says
// how much the senses tell of the other bits. Data are not looked at.
//
// Of those that fail, as many are taken for corrected as the table says. A CRC of c bits beside the code detects them
// but for a share of 2^-c.
//
// Tables are measured of levels round the point where two states misread least, at the spacing that tells most. Soft
// reads of levels that the states have drifted away from fail as often here as if their errors lay on both sides.
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
  // By number of the code; `codewords` is how many a page has at most.
  using Tables = std::vector<std::shared_ptr<const CodeTable>>;
  TableCoder(Tables tables, std::uint32_t codewords, std::uint64_t seed, std::string_view engine,
             std::uint32_t crc_bits = 0);

  void encode(EccJob&) override {}
  // Where the job does not say how many errors each codeword has, all have as many as the worst.
  Decoded decode(EccJob& job) override;
  void persist(Archive& archive) override { archive(random_, miscorrections_); }

 private:
  std::span<const std::uint16_t> errors_of(const EccJob& job, const CodeTable& table);
  // Whether a codeword that has failed goes on as corrected.
  bool escapes(double miscorrected_share, Decoded& decoded);

  const Tables tables_;
  const double missed_by_crc_;  // of miscorrected codewords
  RandomStream random_;
  RandomStream miscorrections_;
  std::vector<double> iterations_;
  std::vector<std::uint16_t> unknown_;  // errors of codewords that nobody has counted
};

}  // namespace nandscape::ecc
