// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/step_coder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/error.h"
#include "ecc/page_coders/decoder_model.h"
#include "protocol/sensing_levels.h"

namespace nandscape::ecc {

namespace {

struct StepParameters {
  std::vector<double> step_error_rates = {0.007, 0.012, 0.014, 0.015, 0.016, 0.017, 0.018};
  double parity_gain = 1;
};

void describe(StepParameters& p, ParameterVisitor& v) {
  v.reals("step_error_rates", p.step_error_rates, {0, 0.5}, "",
          "share of a codeword's bits that may be misread in reads of one sensing level, of two, and so on");
  v.real(
      "parity_gain", p.parity_gain, {1, 100}, "",
      "factor on the tolerated misread bits of codes with more parity than the ordinary code; codes with less parity "
      "are divided by it");
}

class StepDecoder final : public DecoderModel {
 public:
  using Parameters = StepParameters;
  explicit StepDecoder(const Parameters& parameters) : p_(parameters) {}

  bool counts_iterations() const override { return false; }
  bool takes_borrowed_parity() const override { return true; }

  void check() const override {
    const std::vector<double>& rates = p_.step_error_rates;
    if (!rates.empty() && rates.size() <= most_sensing_levels && std::is_sorted(rates.begin(), rates.end())) return;
    throw ConfigError(
        {}, "ecc.step_error_rates",
        "must hold 1 to 7 rates, one for each number of sensing levels from one on, none lower than the one "
        "before it, such as [0.007, 0.012, 0.014]");
  }

  std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const override {
    const std::uint32_t ordinary_parity = context.codes.front().code.ldpc_parity_bytes;
    StepCoder::Steps steps;
    for (const CoderCode& code : context.codes) {
      const std::uint32_t parity = code.code.ldpc_parity_bytes;
      double times = 1;
      if (parity > ordinary_parity) times = p_.parity_gain;
      if (parity < ordinary_parity) times = 1 / p_.parity_gain;
      std::vector<std::uint32_t>& bits = steps.emplace_back();
      for (const double rate : p_.step_error_rates) {
        bits.push_back(static_cast<std::uint32_t>(std::floor(rate * times * code.layout.codeword_bits)));
      }
    }
    return std::make_unique<StepCoder>(std::move(steps));
  }

 private:
  const StepParameters p_;
};

}  // namespace

void register_steps(DecoderRegistry& registry) {
  registry.add<StepDecoder>("steps", "corrects as many errors as step_error_rates give for the read's sensing levels");
}

PageCoder::Decoded StepCoder::decode(EccJob& job) {
  const std::vector<std::uint32_t>& bits = correctable_bits_[job.code];
  const std::size_t step = std::min<std::size_t>(job.sensing_levels, bits.size()) - 1;
  job.uncorrectable = job.worst_codeword_errors > bits[step];
  job.corrected_bits = job.uncorrectable ? 0 : job.raw_bit_errors;
  Decoded decoded;
  if (job.uncorrectable) decoded.codewords = decoded_codewords(job, bits[step]);
  return decoded;
}

}  // namespace nandscape::ecc
