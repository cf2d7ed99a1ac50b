// SPDX-License-Identifier: Apache-2.0
#include "platform/studies/ecc_study.h"

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "core/interruption.h"
#include "core/random.h"
#include "ecc/codes/sensing_channel.h"
#include "ecc/ldpc/ldpc_code.h"
#include "platform/config/code_tables.h"

namespace nandscape {

namespace {

void check(const ecc::BlockCode& code) {
  if (code.user_bits == 0 || code.user_bits > code.codeword_bits || code.correctable >= code.codeword_bits) {
    throw std::invalid_argument("a codeword holds its user bits and corrects some of its bits");
  }
}

void check_rate(double rate, const char* what) {
  if (!(rate > 0 && rate < 1)) throw std::invalid_argument(std::string(what) + " lies between 0 and 1");
}

}  // namespace

std::unique_ptr<ecc::Codec> open_codec(const ecc::Code& code) {
  try {
    return ecc::make_codec(code);
  } catch (const std::invalid_argument& error) {
    throw ConfigError({}, "", error.what());
  }
}

CodeStudy::CodeStudy(const std::string& name) : code_(find_code(name)), codec_(open_codec(code_)) {}

std::size_t CodeStudy::codewords(std::size_t payload_size, std::size_t parity_size) const {
  const std::size_t count = payload_size / payload_bytes();
  if (count * payload_bytes() != payload_size || count * parity_bytes() != parity_size) {
    throw std::invalid_argument("a codeword of " + to_string(code_) + " has " + std::to_string(payload_bytes()) +
                                " bytes of payload and " + std::to_string(parity_bytes()) + " of parity");
  }
  return count;
}

// Waits until no other thread uses the codec, and returns its lock. The function polls, so that a waiting call can be
// interrupted.
std::unique_lock<std::mutex> CodeStudy::turn() {
  std::unique_lock lock(turn_, std::defer_lock);
  while (!lock.try_lock()) {
    interruption_point();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return lock;
}

void CodeStudy::encode(std::span<const std::byte> payloads, std::span<std::byte> parities) {
  const std::size_t count = codewords(payloads.size(), parities.size());
  const std::unique_lock lock = turn();
  for (std::size_t k = 0; k < count; ++k) {
    interruption_point();
    codec_->encode(&payloads[k * payload_bytes()], &parities[k * parity_bytes()]);
  }
}

std::vector<ecc::DecodeOutcome> CodeStudy::decode(std::span<std::byte> payloads, std::span<std::byte> parities) {
  std::vector<ecc::DecodeOutcome> outcomes(codewords(payloads.size(), parities.size()));
  const std::unique_lock lock = turn();
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    interruption_point();
    outcomes[k] = codec_->decode(&payloads[k * payload_bytes()], &parities[k * parity_bytes()]);
  }
  return outcomes;
}

std::vector<ecc::DecodeOutcome> CodeStudy::decode_soft(std::span<const std::int8_t> llr, std::span<std::byte> payloads,
                                                       std::span<std::byte> parities) {
  std::vector<ecc::DecodeOutcome> outcomes(codewords(payloads.size(), parities.size()));
  if (llr.size() != outcomes.size() * codeword_bits()) {
    throw std::invalid_argument("a codeword of " + to_string(code_) + " has " + std::to_string(codeword_bits()) +
                                " bits, each with its log-likelihood ratio");
  }
  const std::unique_lock lock = turn();
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    interruption_point();
    outcomes[k] = codec_->decode_soft(llr.subspan(k * codeword_bits(), codeword_bits()), &payloads[k * payload_bytes()],
                                      &parities[k * parity_bytes()]);
  }
  return outcomes;
}

std::vector<ParityCheck> parity_checks(const std::string& name) {
  const ecc::Code named = find_code(name);
  if (named.family != "ldpc") {
    throw ConfigError({}, "", name + " is not an LDPC code; only these have a parity-check matrix here");
  }
  open_codec(named);  // throws ConfigError if there is no such code
  const ecc::LdpcCode& code = ecc::LdpcCode::of(named.payload_bytes, named.ldpc_parity_bytes);
  const std::uint32_t payload_bits = 8 * code.payload_bytes();
  const std::uint32_t information_bits = code.information_columns() * code.lifting();
  std::vector<ParityCheck> ones;
  for (std::uint32_t row = 0; row < code.rows() * code.lifting(); ++row) {
    for (const ecc::LdpcCode::Edge& edge : code.edges_of_row(row / code.lifting())) {
      const std::uint32_t bit = edge.column * code.lifting() + (row + edge.shift) % code.lifting();
      if (bit < payload_bits) ones.emplace_back(row, bit);
      if (bit >= information_bits) ones.emplace_back(row, bit - information_bits + payload_bits);
    }
  }
  return ones;
}

std::vector<std::int8_t> sensed_llr(std::span<const std::uint8_t> bits, double rber, std::uint32_t levels,
                                    std::uint64_t seed) {
  const ecc::SensingChannel channel(rber, levels);
  RandomStream random(seed, "sensed_llr");
  std::vector<std::int8_t> llr;
  llr.reserve(bits.size());
  for (const std::uint8_t bit : bits) {
    interruption_point();
    const bool wrong = random.uniform() < rber;
    llr.push_back(channel.regions()[channel.sample(bit != 0, wrong, random.uniform())].llr);
  }
  return llr;
}

double uncorrectable_error_rate(const ecc::BlockCode& code, double rber) {
  check(code);
  check_rate(rber, "a raw bit error rate");
  return std::exp(ecc::log_uber(code, rber));
}

double tolerable_error_rate(const ecc::BlockCode& code, double uber) {
  check(code);
  check_rate(uber, "an uncorrectable bit error rate");
  return ecc::tolerable_rber(code, uber);
}

}  // namespace nandscape
