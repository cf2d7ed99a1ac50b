// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/table_coder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ecc/codes/payload_crc.h"
#include "ecc/page_coders/decoder_model.h"

namespace nandscape::ecc {

namespace {

class TableDecoder final : public DecoderModel {
 public:
  using Parameters = NoParameters;
  explicit TableDecoder(const Parameters&) {}

  bool has_tables() const override { return true; }
  bool miscorrects() const override { return true; }
  bool takes_borrowed_parity() const override { return true; }
  std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const override {
    TableCoder::Tables tables;
    std::uint32_t codewords = 0;
    for (const CoderCode& code : context.codes) {
      tables.push_back(code.table);
      codewords = std::max(codewords, code.layout.codewords());
    }
    return std::make_unique<TableCoder>(std::move(tables), codewords, context.seed, context.engine, context.crc_bits);
  }
};

}  // namespace

void register_table(DecoderRegistry& registry) {
  registry.add<TableDecoder>("table", "fails and iterates as often as measured for the code");
}

TableCoder::TableCoder(Tables tables, std::uint32_t codewords, std::uint64_t seed, std::string_view engine,
                       std::uint32_t crc_bits)
    : tables_(std::move(tables)),
      missed_by_crc_(crc_missed_share(crc_bits)),
      random_(seed, engine),
      miscorrections_(seed, std::string(engine) + ".miscorrections"),
      iterations_(codewords) {}

PageCoder::Decoded TableCoder::decode(EccJob& job) {
  job.uncorrectable = false;
  Decoded decoded;
  const CodeTable& table = *tables_[job.code];
  std::size_t codeword = 0;
  for (const std::uint16_t errors : errors_of(job, table)) {
    const double failure = table.failure_probability(job.sensing_levels, errors, job.misread_probability);
    if (failure > 0 && random_.uniform() < failure) {
      const double share = table.miscorrected_share(job.sensing_levels, errors, job.misread_probability);
      job.uncorrectable |= !escapes(share, decoded);
    }
    iterations_[codeword++] = table.mean_iterations(job.sensing_levels, errors, job.misread_probability);
    if (job.uncorrectable && stops_at_failure()) {
      decoded.codewords = static_cast<std::uint32_t>(codeword);
      break;
    }
  }
  job.corrected_bits = job.uncorrectable ? 0 : job.raw_bit_errors;
  decoded.iterations = std::span(iterations_).first(codeword);
  return decoded;
}

bool TableCoder::escapes(double miscorrected_share, Decoded& decoded) {
  decoded.expected_escapes += miscorrected_share * missed_by_crc_;
  if (miscorrected_share == 0 || miscorrections_.uniform() >= miscorrected_share) return false;
  ++decoded.miscorrected;
  if (miscorrections_.uniform() < missed_by_crc_) return true;
  ++decoded.crc_detected;
  return false;
}

std::span<const std::uint16_t> TableCoder::errors_of(const EccJob& job, const CodeTable& table) {
  if (!job.codeword_errors.empty()) return job.codeword_errors;
  const auto most = static_cast<std::uint16_t>(std::min<std::uint32_t>(job.worst_codeword_errors, 0xffff));
  unknown_.assign(job.bytes / table.payload_bytes(), most);
  return unknown_;
}

}  // namespace nandscape::ecc
