// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/table_coder.h"

#include <algorithm>
#include <utility>

#include "ecc/page_coders/decoder_model.h"

namespace nandscape::ecc {

namespace {

class TableDecoder final : public DecoderModel {
 public:
  using Parameters = NoParameters;
  explicit TableDecoder(const Parameters&) {}

  bool has_tables() const override { return true; }
  bool takes_borrowed_parity() const override { return true; }
  std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const override {
    TableCoder::Tables tables;
    std::uint32_t codewords = 0;
    for (const CoderCode& code : context.codes) {
      tables.push_back(code.table);
      codewords = std::max(codewords, code.layout.codewords());
    }
    return std::make_unique<TableCoder>(std::move(tables), codewords, context.seed, context.engine);
  }
};

}  // namespace

void register_table(DecoderRegistry& registry) {
  registry.add<TableDecoder>("table", "fails, and iterates, as often as the code has been measured to");
}

TableCoder::TableCoder(Tables tables, std::uint32_t codewords, std::uint64_t seed, std::string_view engine)
    : tables_(std::move(tables)), random_(seed, engine), iterations_(codewords) {}

PageCoder::Decoded TableCoder::decode(EccJob& job) {
  job.uncorrectable = false;
  const CodeTable& table = *tables_[job.code];
  std::size_t codeword = 0;
  for (const std::uint16_t errors : errors_of(job, table)) {
    const double failure = table.failure_probability(job.sensing_levels, errors, job.misread_probability);
    job.uncorrectable |= failure > 0 && random_.uniform() < failure;
    iterations_[codeword++] = table.mean_iterations(job.sensing_levels, errors, job.misread_probability);
  }
  job.corrected_bits = job.uncorrectable ? 0 : job.raw_bit_errors;
  return {std::span(iterations_).first(codeword), 0};
}

std::span<const std::uint16_t> TableCoder::errors_of(const EccJob& job, const CodeTable& table) {
  if (!job.codeword_errors.empty()) return job.codeword_errors;
  const auto most = static_cast<std::uint16_t>(std::min<std::uint32_t>(job.worst_codeword_errors, 0xffff));
  unknown_.assign(job.bytes / table.payload_bytes(), most);
  return unknown_;
}

}  // namespace nandscape::ecc
